package io.cistern.conformance.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.MemoryUsage;
import io.cistern.PoolCapacityException;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.conformance.Invariants;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.conformance.Ledger;
import io.cistern.manager.Allocation;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryManagerBuilder;
import io.cistern.manager.MemoryReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A layout at work: its back end, its managers, and what the test knows to be live there. */
final class Site implements AutoCloseable {

  private final BackEnd device;
  private final Heard heard;
  private final Streams streams;
  private final boolean listens;
  private final boolean dryRun;
  private final Book book;
  private final Windows windows;
  private final Work work = new Work();
  private boolean ended;

  /** A request of a scenario. */
  record Request(String id, long byteSize, long alignment, @Nullable String label, String stream) {}

  Site(JsonNode layout, Options options, Hooks hooks) {
    this.device = BackEnd.open(layout.get("backend"));
    this.heard = new Heard(hooks);
    this.listens = !layout.path("streams_have_managers").asBoolean();
    this.book = new Book(device.storage().properties().byteAlignment());
    this.windows = new Windows(book);
    MemoryPoolsConfig pools = LayoutJson.config(layout.get("pools"));
    this.streams =
        listens
            ? new SharedManager(open(layout, pools, options))
            : new ManagerPerStream(DeviceMemory.open(device.storage(), pools));
    this.dryRun = layout.path("dry_run").asBoolean();
    if (dryRun) {
      windows.beginDryRun(streams.of("0"));
    }
  }

  private MemoryManager open(JsonNode layout, MemoryPoolsConfig pools, Options options) {
    MemoryManagerBuilder builder =
        MemoryManager.builder(device.storage())
            .pools(pools)
            .persistent(
                PersistentMemory.named(layout.path("persistent").asText("enabled")).orElseThrow())
            .trackPlaces(options.tracksPlaces())
            .listener(heard);
    return (options.waits() ? builder : builder.maxWait(Duration.ZERO)).open();
  }

  /**
   * Makes an allocation.
   *
   * @param alone whether no other thread is at work, so that totals can be compared
   */
  ObjectNode allocate(Request request, boolean alone) {
    MemoryManager manager = streams.of(request.stream);
    MemoryUsage before = manager.usage();
    Allocation allocation;
    try {
      allocation = ask(manager, request);
    } catch (RuntimeException e) {
      if (alone) {
        assertRefusalChangedNothing(manager, before, e);
      }
      throw e;
    }
    Ledger.Held held =
        book.enter(request.id, allocation, request.byteSize, request.alignment, !dryRun);
    ObjectNode facts = Json.object().put("offset", held.offset());
    Token.describe(work.waitedFor(), facts);
    if (alone) {
      MemoryUsage after = manager.usage();
      facts.put("takes", live(after) - live(before));
    }
    return facts;
  }

  private static Allocation ask(MemoryManager manager, Request request) {
    // A request has a label or an alignment, as Cistern's do.
    if (request.label != null && request.alignment == 1) {
      return manager.allocate(request.byteSize, request.label);
    }
    return manager.allocate(request.byteSize, request.alignment);
  }

  private static long live(MemoryUsage usage) {
    return usage.inUse().bytes() + usage.padding().bytes();
  }

  private static void assertRefusalChangedNothing(
      MemoryManager manager, MemoryUsage before, RuntimeException e) {
    MemoryUsage after = manager.usage();
    assertThat(after.allocations()).as("allocations").isEqualTo(before.allocations());
    assertThat(after.inUse()).as("in use").isEqualTo(before.inUse());
    assertThat(after.padding()).as("padding").isEqualTo(before.padding());
    if (e.getCause() == null && before.pending().equals(MemorySize.ZERO)) {
      assertThat(after).as("usage after a refusal").isEqualTo(before);
    } // else the device refused, and what was idle went back to it; or work has ended
    if (e instanceof PoolCapacityException full) {
      MemoryReport.PoolReport pool = manager.report().pools().get(full.pool());
      assertThat(full.largestFree()).as("largest free").isEqualTo(pool.largestFree().bytes());
      assertThat(full.free()).as("free").isEqualTo(pool.free().bytes());
    }
  }

  /** Opens a second handle to a region. */
  void copy(String id, String copy) {
    Allocation second = book.handle(id).allocation().retain();
    book.enterCopy(copy, id, second);
  }

  /** Closes a handle, also one that is closed. */
  void free(String id) {
    Allocation allocation = book.handle(id).allocation();
    book.leave(id);
    try {
      allocation.close();
    } catch (IllegalStateException e) {
      throw new ClosedHandleException(e);
    }
  }

  /** The memory of a handle, also of one that is closed. */
  MemorySegment segment(String id) {
    try {
      return book.handle(id).allocation().segment();
    } catch (IllegalStateException e) {
      throw book.isOpen(id) ? e : new ClosedHandleException(e);
    }
  }

  /** Closes the managers; what they say of it. */
  ObjectNode end() {
    ended = true;
    ObjectNode facts = listens ? LeakReport.of(this, !dryRun, streams::close) : closeSilently();
    return facts
        .put("storage_deallocs", device.counted().frees())
        .put("bytes_reserved_after", streams.usage().reserved().bytes());
  }

  private ObjectNode closeSilently() {
    streams.close();
    return Json.object();
  }

  /** The counters of this moment. */
  ObjectNode counters() {
    ObjectNode counters =
        Counters.of(streams.usage(), streams.reports(), device.counted())
            .put("open_streams", streams.open());
    if (listens) {
      heard.count(counters);
    }
    return counters;
  }

  /** Requests that went on to a later pool. */
  long spills() {
    return streams.reports().stream()
        .flatMap(report -> report.pools().stream())
        .mapToLong(MemoryReport.PoolReport::spills)
        .sum();
  }

  /** Checks what holds after any step that was done alone. */
  void check() {
    if (ended) {
      checkNothingLeft();
    } else {
      streams.check(device.counted(), book.ledger());
    }
    if (listens) {
      assertThat(heard.pagesMade()).as("pages made").isEqualTo(device.counted().allocations());
      assertThat(heard.pagesGivenBack()).as("given back").isEqualTo(device.counted().frees());
      assertThat(heard.closed()).as("reports of a close").hasSizeLessThanOrEqualTo(1);
    }
  }

  private void checkNothingLeft() {
    MemoryUsage usage = streams.usage();
    assertThat(usage.allocations()).as("allocations after the close").isZero();
    assertThat(usage.inUse()).as("in use after the close").isEqualTo(MemorySize.ZERO);
    assertThat(usage.reserved()).as("reserved after the close").isEqualTo(MemorySize.ZERO);
    assertThat(device.counted().allocated()).as("out after it").isEqualTo(MemorySize.ZERO);
  }

  /** Checks what holds while other threads are at work. */
  void sample() {
    Invariants.checkUsage(streams.usage(), "all threads");
  }

  /** Free slices are joined: a page with nothing live on it is free as a whole. */
  void checkPages() {
    for (MemoryManager manager : streams.managers()) {
      if (manager.usage().pending().equals(MemorySize.ZERO)) {
        for (int pool = 0; pool < manager.layout().pools().size(); pool++) {
          manager.pages(pool).stream()
              .filter(page -> page.slices() == 0)
              .forEach(page -> assertThat(page.largestFree()).isEqualTo(page.size()));
        }
      }
    }
  }

  BackEnd device() {
    return device;
  }

  Streams streams() {
    return streams;
  }

  Heard heard() {
    return heard;
  }

  Book book() {
    return book;
  }

  Windows windows() {
    return windows;
  }

  Work work() {
    return work;
  }

  @Override
  public void close() {
    device.recover();
    work.syncAll();
    windows.close();
    book.open().forEach(this::free); // silently, where the manager has ended
    check();
    streams.close();
    checkNothingLeft();
    device.close();
  }
}
