package io.cistern.trace.script;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.Capture;
import io.cistern.manager.CapturePin;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.DryRun;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryManagerBuilder;
import io.cistern.manager.MemoryReport;
import io.cistern.manager.PersistentWindow;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall;
import io.cistern.trace.TraceException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A script at work. */
final class ScriptRun implements AutoCloseable {

  /** A handle and the slice it is on. */
  private record Handle(Allocation allocation, ScriptSlice slice) {}

  private final String file;
  private final ScriptHead head;
  private final SimulatedStorage device;
  private final FailingStorage driver;
  private final @Nullable DeviceMemory streams;
  private final @Nullable MemoryManager only;
  private final ScriptBook book = new ScriptBook();

  private final Names<Handle> handles = new Names<>("handle");
  private final Names<Capture> captures = new Names<>("capture");
  private final Names<Runnable> opened = new Names<>("window, dry run or pin");
  private final Map<String, ScriptFence> fences = new HashMap<>();
  private final Map<MemoryManager, Integer> dryRuns = new HashMap<>();
  private boolean streamsEnded;
  private long line;
  private long steps;
  private long served;
  private long refused;

  /** What has a name; or had one that was refused, which steps pass over. */
  private final class Names<T> {
    private final String kind;
    private final Map<String, Optional<T>> named = new LinkedHashMap<>();

    Names(String kind) {
      this.kind = kind;
    }

    void put(String name, Optional<T> value) throws TraceException {
      if (named.putIfAbsent(name, value) != null) {
        throw wrong("there is a " + kind + " " + name + " already");
      }
    }

    /** What has a name; nothing if it was refused. */
    Optional<T> get(String name) throws TraceException {
      Optional<T> value = named.get(name);
      if (value == null) {
        throw wrong("there is no open " + kind + " " + name);
      }
      return value;
    }

    Optional<T> remove(String name) throws TraceException {
      Optional<T> value = get(name);
      named.remove(name);
      return value;
    }
  }

  ScriptRun(String file, ScriptHead head) {
    this.file = file;
    this.head = head;
    this.device = new SimulatedStorage(head.device());
    this.driver = new FailingStorage(device);
    if (head.managers() == ScriptHead.Managers.STREAMS) {
      this.only = null;
      this.streams = DeviceMemory.open(driver, head.pools(), (builder, _) -> tell(builder));
    } else {
      this.streams = null;
      this.only = tell(MemoryManager.builder(driver)).pools(head.pools()).open();
    }
  }

  private MemoryManagerBuilder tell(MemoryManagerBuilder builder) {
    builder.persistent(head.persistent()).maxWait(head.maxWait());
    return head.managers() == ScriptHead.Managers.CONFINED ? builder.confined() : builder;
  }

  private MemoryManager manager(int stream) throws TraceException {
    if (streams != null) {
      return streams.stream(stream);
    }
    if (only == null || stream != 0) {
      throw wrong("there are no streams; the script begins with \"manager streams\" if it has any");
    }
    return only;
  }

  private TraceException wrong(String reason) {
    return new TraceException(file, line, reason);
  }

  private void mustHold(Optional<String> wrong) {
    wrong.ifPresent(
        reason -> {
          throw new ScriptFailure(file, line, reason);
        });
  }

  /** Takes a step; says what it did, in words that go on from the step's own. */
  String take(Script.Numbered numbered) throws TraceException {
    line = numbered.line();
    steps++;
    String done;
    try {
      done = take(numbered.step());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    check();
    return done;
  }

  private String take(ScriptStep step) throws TraceException {
    return switch (step) {
      case ScriptStep.Allocate allocate -> allocate(allocate);
      case ScriptStep.Retain(String name, String of) -> retain(name, handles.get(of));
      case ScriptStep.Close(String handle) -> close(handles.remove(handle));
      case ScriptStep.Use(String handle, String fence) -> use(handles.get(handle), fence);
      case ScriptStep.Pass(String fence) -> pass(fence);
      case ScriptStep.Resolve(String handle) -> resolve(handles.get(handle));
      case ScriptStep.Window(String name, int stream) -> window(name, manager(stream));
      case ScriptStep.DryRun(String name, int stream) -> dryRun(name, manager(stream));
      case ScriptStep.Capture(String name, int stream) -> capture(name, manager(stream));
      case ScriptStep.Primed(String capture) -> primed(captures.get(capture));
      case ScriptStep.Pin(String name, String capture) -> pin(name, captures.remove(capture));
      case ScriptStep.End(String name) -> end(opened.remove(name));
      case ScriptStep.Trim() -> trim();
      case ScriptStep.Install(MemoryPoolsConfig pools) -> install(pools);
      case ScriptStep.CloseStream(int stream) -> closeStream(stream);
      case ScriptStep.Driver refusing -> driver(refusing);
      case ScriptStep.Expect(Map<ScriptStep.Total, Long> values) -> expect(values);
    };
  }

  private String allocate(ScriptStep.Allocate step) throws TraceException {
    MemoryManager manager = manager(step.stream());
    Allocation got;
    try {
      got = manager.allocate(step.byteSize(), step.byteAlignment(), step.tag());
    } catch (AllocationException e) {
      refused++;
      handles.put(step.name(), Optional.empty());
      return " -> refused: " + e.getMessage();
    }
    served++;
    ScriptSlice slice = new ScriptSlice(step.name(), step.byteSize());
    handles.put(step.name(), Optional.of(new Handle(got, slice)));
    book.allocated(slice);
    // To ask for the address would map the page of a dry run.
    if (dryRuns.getOrDefault(manager, 0) == 0) {
      place(slice, got);
    }
    String pool = got.pool() < 0 ? "persistent pool" : "pool " + got.pool();
    return " -> " + pool + ", offset " + got.byteOffset();
  }

  private void place(ScriptSlice slice, Allocation allocation) {
    if (slice.byteSize > 0) {
      Optional<String> other = book.placed(slice, allocation.address());
      mustHold(other.map(name -> "the memory of " + slice.name + " is also that of " + name));
    }
  }

  private static final String PASSED_OVER = " -> passed over: what it names was refused";

  private String retain(String name, Optional<Handle> of) throws TraceException {
    if (of.isEmpty()) {
      handles.put(name, Optional.empty());
      return PASSED_OVER;
    }
    Handle handle = of.get();
    handles.put(name, Optional.of(new Handle(handle.allocation.retain(), handle.slice)));
    handle.slice.handles++;
    return "";
  }

  private String close(Optional<Handle> closing) {
    if (closing.isEmpty()) {
      return PASSED_OVER;
    }
    Handle handle = closing.get();
    handle.allocation.close();
    book.closed(handle.slice);
    return "";
  }

  private String use(Optional<Handle> using, String name) {
    ScriptFence fence = fences.computeIfAbsent(name, _ -> new ScriptFence());
    if (using.isEmpty()) {
      return PASSED_OVER;
    }
    using.get().allocation.usedUntil(fence);
    using.get().slice.fences.add(fence);
    return "";
  }

  private String pass(String name) throws TraceException {
    ScriptFence fence = fences.get(name);
    if (fence == null) {
      throw wrong("nothing is used until " + name);
    }
    fence.pass();
    return "";
  }

  private String resolve(Optional<Handle> resolving) {
    if (resolving.isEmpty()) {
      return PASSED_OVER;
    }
    try {
      place(resolving.get().slice, resolving.get().allocation);
      return "";
    } catch (DeviceMemoryException e) {
      return " -> refused: " + e.getMessage();
    }
  }

  private String window(String name, MemoryManager manager) throws TraceException {
    PersistentWindow window = manager.openPersistentWindow();
    opened.put(name, Optional.of(window::close));
    return "";
  }

  private String dryRun(String name, MemoryManager manager) throws TraceException {
    DryRun dryRun = manager.openDryRun();
    dryRuns.merge(manager, 1, Integer::sum);
    opened.put(
        name,
        Optional.of(
            () -> {
              dryRun.close();
              dryRuns.merge(manager, -1, Integer::sum);
            }));
    return "";
  }

  private String capture(String name, MemoryManager manager) throws TraceException {
    captures.put(name, Optional.of(manager.beginCapture()));
    return "";
  }

  private static String primed(Optional<Capture> capture) {
    capture.orElseThrow().endPriming();
    return "";
  }

  private String pin(String name, Optional<Capture> capture) throws TraceException {
    CapturePin pin = capture.orElseThrow().end();
    opened.put(name, Optional.of(pin::close));
    return " -> " + pin.sizes().size() + " slices pinned";
  }

  private static String end(Optional<Runnable> open) {
    open.orElseThrow().run();
    return "";
  }

  private String trim() throws TraceException {
    MemorySize freed = streams != null ? streams.trim() : manager(0).trim();
    return " -> " + freed + " went back";
  }

  private String install(MemoryPoolsConfig pools) throws TraceException {
    try {
      if (streams != null) {
        streams.install(pools);
      } else {
        manager(0).install(pools);
      }
      return "";
    } catch (IllegalStateException | DeviceMemoryException e) {
      return " -> refused: " + e.getMessage();
    }
  }

  private String closeStream(int stream) throws TraceException {
    if (streams == null || !streams.streams().containsKey(stream)) {
      throw wrong("there is no open stream " + stream);
    }
    streams.closeStream(stream);
    streamsEnded = true;
    return "";
  }

  private String driver(ScriptStep.Driver step) {
    driver.refuse(
        call ->
            call.kind() == StorageCall.Kind.ALLOCATE ? step.refusesBlocks() : step.refusesFrees());
    return "";
  }

  private String expect(Map<ScriptStep.Total, Long> values) {
    MemoryUsage usage = usage();
    values.forEach(
        (total, wanted) -> {
          long is = value(total, usage);
          if (is != wanted) {
            String name = total.name().toLowerCase(Locale.ROOT);
            mustHold(Optional.of(name + " is " + is + ", expected is " + wanted));
          }
        });
    return "";
  }

  private long value(ScriptStep.Total total, MemoryUsage usage) {
    return switch (total) {
      case ALLOCATIONS -> usage.allocations();
      case IN_USE -> usage.inUse().bytes();
      case PADDING -> usage.padding().bytes();
      case PENDING -> usage.pending().bytes();
      case PINNED -> usage.pinned().bytes();
      case RESERVED -> usage.reserved().bytes();
      case REFUSED -> refused;
    };
  }

  private MemoryUsage usage() {
    return streams != null ? streams.usage() : managers().getFirst().usage();
  }

  private List<MemoryManager> managers() {
    if (streams != null) {
      return List.copyOf(streams.streams().values());
    }
    return only == null ? List.of() : List.of(only);
  }

  private void check() {
    MemoryUsage usage = usage();
    mustHold(book.check(usage));
    boolean allMapped =
        !streamsEnded
            && managers().stream()
                .flatMap(manager -> manager.report().allPools().stream())
                .allMatch(ScriptRun::isMapped);
    long handedOut = device.allocated().bytes();
    long reserved = usage.reserved().bytes();
    if (allMapped ? handedOut != reserved : handedOut > reserved) {
      mustHold(
          Optional.of("the driver handed out " + handedOut + " bytes, reserved are " + reserved));
    }
  }

  private static boolean isMapped(MemoryReport.PoolReport pool) {
    return pool.pagesUnmapped() == 0;
  }

  /** Closes what is open, and checks that nothing is left. */
  ScriptResult finish(long lastLine) throws TraceException {
    line = lastLine;
    ScriptResult result = new ScriptResult(steps, served, refused, usage());
    driver.recover();
    handles.named.values().forEach(this::close);
    captures.named.values().forEach(capture -> capture.orElseThrow().close());
    opened.named.values().forEach(ScriptRun::end);
    fences.values().forEach(ScriptFence::pass);
    trim();
    MemoryUsage left = usage();
    if (left.allocations() > 0 || left.reserved().bytes() > 0 || device.allocated().bytes() > 0) {
      mustHold(Optional.of("with everything closed and given back, there is left " + left));
    }
    return result;
  }

  @Override
  public void close() {
    if (streams != null) {
      streams.close();
    } else {
      managers().forEach(MemoryManager::close);
    }
  }
}
