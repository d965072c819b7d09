package io.cistern.model;

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
import io.cistern.manager.PersistentWindow;
import io.cistern.model.ModelManager.ModelCapture;
import io.cistern.storage.SimulatedStorage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The managers and their model, taken through the same steps. */
final class ProgramRun implements AutoCloseable {

  /** A handle and the slice it is on. */
  record Handle(Allocation allocation, Region region, int stream, ModelManager of) {}

  record OpenCapture(Capture capture, ModelCapture model, ModelManager of) {}

  /** What is open on a manager; closing it says so to the model. */
  record Opened(Runnable close) {}

  private final SetUp setUp;
  private final ArrayDeque<Call> calls = new ArrayDeque<>();
  private final SimulatedStorage storage;
  private final WatchedDriver driver;
  private final ModelDevice model;
  private final @Nullable DeviceMemory streams;
  private final TreeMap<Integer, MemoryManager> managers = new TreeMap<>();
  private final TreeMap<Integer, ModelManager> models = new TreeMap<>();
  private final List<ModelManager> endingModels = new ArrayList<>();
  private boolean followed = true;

  final Map<String, Handle> handles = new LinkedHashMap<>();
  final Map<String, StepFence> fences = new LinkedHashMap<>();
  final Map<String, Integer> fenceStreams = new LinkedHashMap<>();
  final Map<String, OpenCapture> captures = new LinkedHashMap<>();
  final Map<String, Opened> opened = new LinkedHashMap<>();

  ProgramRun(SetUp setUp) {
    this.setUp = setUp;
    this.storage = new SimulatedStorage(setUp.device());
    this.driver = new WatchedDriver(storage, calls);
    this.model = new ModelDevice(driver, calls);
    if (setUp.managers() == SetUp.Managers.STREAMS) {
      this.streams = DeviceMemory.open(driver, setUp.pools(), (builder, _) -> setUp.tell(builder));
    } else {
      this.streams = null;
      var builder = MemoryManager.builder(driver);
      setUp.tell(builder);
      MemoryManager manager = builder.pools(setUp.pools()).open();
      managers.put(0, manager);
      models.put(0, new ModelManager(model, manager, setUp));
    }
  }

  /** Takes a step, and checks everything; false if the step names what is not there. */
  boolean step(Step step) {
    followed = false;
    boolean taken =
        switch (step) {
          case Step.Allocate allocate -> allocate(allocate);
          case Step.Retain(String name, String of) -> retain(name, handles.get(of));
          case Step.Close(String handle) -> close(handles.remove(handle));
          case Step.Use(String handle, String fence) -> use(handles.get(handle), fence);
          case Step.Pass(String fence) -> pass(fences.get(fence));
          case Step.Resolve(String handle) -> resolve(handles.get(handle));
          case Step.Window(String name, int stream) -> openWindow(name, stream);
          case Step.DryRun(String name, int stream) -> openDryRun(name, stream);
          case Step.Capture(String name, int stream) -> capture(name, stream);
          case Step.Primed(String capture) -> endPriming(captures.get(capture));
          case Step.Pin(String name, String capture) -> pin(name, captures.remove(capture));
          case Step.End(String name) -> end(opened.remove(name));
          case Step.Trim() -> trim();
          case Step.Install(MemoryPoolsConfig pools) -> install(pools);
          case Step.CloseStream(int stream) -> closeStream(stream);
          case Step.Driver(boolean blocks, boolean frees) -> {
            driver.refusesBlocks = blocks;
            driver.refusesFrees = frees;
            yield true;
          }
        };
    followed = true;
    if (taken) {
      check();
    }
    return taken;
  }

  /** The line of a script that says what the totals have to be by now. */
  String expectation() {
    if (!followed) {
      return "# The model could not follow the last step.";
    }
    MemoryUsage usage = model.usage();
    return "expect allocations=%d in_use=%d padding=%d pending=%d pinned=%d reserved=%d"
        .formatted(
            usage.allocations(),
            usage.inUse().bytes(),
            usage.padding().bytes(),
            usage.pending().bytes(),
            usage.pinned().bytes(),
            usage.reserved().bytes());
  }

  private void check() {
    model.checkAsked();
    model.managers.forEach(ModelManager::check);
    if (streams != null) {
      Rule.same(streams.usage(), model.usage(), "usage of all streams");
    }
    Rule.equal(storage.allocated().bytes(), model.handedOut(), "what the driver handed out");
  }

  private @Nullable MemoryManager manager(int stream) {
    if (streams == null) {
      return managers.get(stream);
    }
    MemoryManager manager = streams.stream(stream);
    if (managers.put(stream, manager) == null) {
      models.put(stream, new ModelManager(model, manager, setUp));
    }
    return manager;
  }

  private ModelManager modelOf(int stream) {
    return Objects.requireNonNull(models.get(stream));
  }

  private boolean allocate(Step.Allocate step) {
    MemoryManager manager = manager(step.stream());
    if (manager == null) {
      return false;
    }
    Allocation got = null;
    AllocationException error = null;
    try {
      got = manager.allocate(step.byteSize(), step.alignment());
    } catch (AllocationException e) {
      error = e;
    }
    ModelManager of = modelOf(step.stream());
    Region region = of.requested(step.byteSize(), step.alignment(), got, error);
    Rule.holds((region == null) == (got == null), "refused if the rules refuse it, got " + got);
    if (got != null && region != null) {
      handles.put(step.name(), new Handle(got, region, step.stream(), of));
    }
    return true;
  }

  private boolean retain(String name, @Nullable Handle handle) {
    if (handle == null) {
      return false;
    }
    Rule.same(handle.allocation.canMutate(), handle.region.handles == 1, "canMutate");
    handles.put(
        name, new Handle(handle.allocation.retain(), handle.region, handle.stream, handle.of));
    handle.region.handles++;
    return true;
  }

  private boolean close(@Nullable Handle handle) {
    if (handle == null) {
      return false;
    }
    handle.allocation.close();
    Rule.holds(!handle.allocation.isAlive(), "a closed handle is not alive");
    handle.of.closed(handle.region);
    return true;
  }

  private boolean use(@Nullable Handle handle, String name) {
    if (handle == null) {
      return false;
    }
    StepFence fence = fences.computeIfAbsent(name, _ -> new StepFence(name, calls));
    fenceStreams.putIfAbsent(name, handle.stream);
    handle.allocation.usedUntil(fence);
    handle.of.used(handle.region, fence);
    return true;
  }

  private static boolean pass(@Nullable StepFence fence) {
    if (fence == null) {
      return false;
    }
    fence.pass();
    return true;
  }

  private boolean resolve(@Nullable Handle handle) {
    if (handle == null || handle.region.page == null) {
      return false;
    }
    try {
      var block = handle.allocation.block();
      Rule.holds(handle.of.maps(handle.region), "the driver refuses");
      ModelPage page = handle.region.page;
      Rule.holds(page.block == null || page.block.equals(block), "a page has one block");
      page.block = block;
    } catch (DeviceMemoryException e) {
      Rule.holds(!handle.of.maps(handle.region), "the driver gives a block");
    }
    return true;
  }

  private boolean openWindow(String name, int stream) {
    MemoryManager manager = manager(stream);
    if (manager == null) {
      return false;
    }
    PersistentWindow window = manager.openPersistentWindow();
    ModelManager of = modelOf(stream);
    of.windows++;
    opened.put(
        name,
        new Opened(
            () -> {
              window.close();
              of.windows--;
            }));
    return true;
  }

  private boolean openDryRun(String name, int stream) {
    MemoryManager manager = manager(stream);
    if (manager == null) {
      return false;
    }
    DryRun dryRun = manager.openDryRun();
    ModelManager of = modelOf(stream);
    of.dryRuns++;
    opened.put(
        name,
        new Opened(
            () -> {
              dryRun.close();
              of.dryRuns--;
            }));
    return true;
  }

  private boolean capture(String name, int stream) {
    MemoryManager manager = manager(stream);
    if (manager == null) {
      return false;
    }
    ModelManager of = modelOf(stream);
    captures.put(name, new OpenCapture(manager.beginCapture(), of.capturing(), of));
    return true;
  }

  private static boolean endPriming(@Nullable OpenCapture open) {
    if (open == null) {
      return false;
    }
    open.capture.endPriming();
    open.of.endedPriming(open.model);
    return true;
  }

  private boolean pin(String name, @Nullable OpenCapture open) {
    if (open == null) {
      return false;
    }
    CapturePin pin = open.capture.end();
    List<Region> pinned = open.of.pinned(open.model);
    List<Region> held = pinned == null ? List.of() : pinned;
    List<MemorySize> sizes = held.stream().map(region -> MemorySize.of(region.byteSize)).toList();
    Rule.same(pin.sizes(), sizes, "what is pinned");
    opened.put(
        name,
        new Opened(
            () -> {
              pin.close();
              open.of.unpinned(pinned);
            }));
    return true;
  }

  private static boolean end(@Nullable Opened open) {
    if (open == null) {
      return false;
    }
    open.close.run();
    return true;
  }

  private boolean trim() {
    MemorySize freed = streams != null ? streams.trim() : manager(0).trim();
    goOnEnding();
    long byTheRules = models.values().stream().mapToLong(ModelManager::cleanUp).sum();
    Rule.equal(freed.bytes(), byTheRules, "what a cleanup gave back");
    return true;
  }

  private void goOnEnding() {
    endingModels.forEach(ModelManager::goOnEnding);
    endingModels.retainAll(model.managers);
  }

  private boolean install(MemoryPoolsConfig pools) {
    RuntimeException error = null;
    try {
      if (streams != null) {
        streams.install(pools);
      } else {
        manager(0).install(pools);
      }
    } catch (IllegalStateException | DeviceMemoryException e) {
      error = e;
    }
    models.values().forEach(ModelManager::awaitPending);
    Optional<Class<? extends RuntimeException>> refusal =
        models.values().stream()
            .map(ModelManager::refusesInstall)
            .flatMap(Optional::stream)
            .findFirst();
    if (refusal.isPresent()) {
      Rule.same(error == null ? null : error.getClass(), refusal.get(), "the refusal");
      return true;
    }
    boolean all = models.values().stream().allMatch(ModelManager::installed);
    Rule.same(error == null, all, "whether it was installed, " + error);
    if (all) {
      model.peaks.reset();
      model.raisePeaks();
    }
    return true;
  }

  private boolean closeStream(int stream) {
    if (streams == null || managers.remove(stream) == null) {
      return false;
    }
    streams.closeStream(stream);
    ModelManager ended = Objects.requireNonNull(models.remove(stream));
    ended.ended();
    endingModels.add(ended);
    goOnEnding();
    return true;
  }

  /** Closes everything that is open; nothing is left. */
  void finish() {
    driver.refusesBlocks = false;
    driver.refusesFrees = false;
    List.copyOf(handles.keySet()).forEach(handle -> step(new Step.Close(handle)));
    List.copyOf(captures.keySet())
        .forEach(capture -> step(new Step.Pin("pin of " + capture, capture)));
    List.copyOf(opened.keySet()).forEach(name -> step(new Step.End(name)));
    fences.values().forEach(StepFence::pass);
    step(new Step.Trim());
    Rule.equal(storage.allocated().bytes(), 0, "what is left");
    models.values().forEach(of -> of.allPools().forEach(ProgramRun::checkEmpty));
  }

  private static void checkEmpty(ModelPool pool) {
    Rule.holds(pool.live.isEmpty() && pool.pages.isEmpty(), "nothing is left");
  }

  @Override
  public void close() {
    if (streams != null) {
      streams.close();
    } else {
      managers.values().forEach(MemoryManager::close);
    }
  }
}
