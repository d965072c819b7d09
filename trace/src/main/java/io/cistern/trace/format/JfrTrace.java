package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.JfrChunks;
import io.cistern.trace.table.HeapBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of allocators in a Flight Recorder recording: those of Netty 4.2 ({@code
 * io.netty.AllocateBuffer}, {@code FreeBuffer} and {@code ReallocateBuffer}, and of its chunks),
 * and those of Cistern's managers ({@code io.cistern.Served} and {@code Released}, and of their
 * pages).
 *
 * <p>Netty's buffers off the heap, those on it, and each manager count as a device.
 */
final class JfrTrace {

  private static final String NETTY = "io.netty.";
  private static final String CISTERN = "io.cistern.";

  private final TraceFaults faults;
  private final JfrAllocations allocations;
  private final HeldCurve held;
  private final Map<Object, Long> kinds = new HashMap<>();
  private long number;
  private long cisternEvents;

  private JfrTrace(TraceInput input) {
    HeapBudget budget = new HeapBudget();
    this.faults = input.faults();
    this.held = new HeldCurve(input, budget);
    this.allocations = new JfrAllocations(input, budget, held);
  }

  static TraceReader read(TraceInput input) throws IOException {
    JfrTrace trace = new JfrTrace(input);
    @Nullable TraceException damage;
    try (JfrChunks chunks = new JfrChunks(input.in(), input.faults())) {
      damage = trace.readAll(chunks);
    }
    if (trace.allocations.isEmpty()) {
      throw damage != null ? damage : input.faults().error(1, trace.whyNothing());
    }
    if (damage != null) {
      input.faults().end(damage);
    }
    return trace.allocations.rows();
  }

  private String whyNothing() {
    return cisternEvents > 0
        ? "the "
            + cisternEvents
            + " events by Cistern are not of requests: MemoryFlightRecorder.full records these, as"
            + " io.cistern.Served and io.cistern.Released"
        : "there is no event of an allocator among "
            + number
            + " events: io.netty.AllocateBuffer and io.netty.FreeBuffer, which Netty 4.2 has, or"
            + " io.cistern.Served and io.cistern.Released, must be enabled in the recording";
  }

  /** Reads up to the end, or up to damage, which it returns. */
  private @Nullable TraceException readAll(JfrChunks chunks) throws IOException {
    @Nullable TraceException damage = null;
    while (damage == null) {
      @Nullable Path file;
      try {
        file = chunks.next();
      } catch (TraceException e) {
        return e;
      }
      if (file == null) {
        return null;
      }
      damage = readChunk(file, chunks);
    }
    return damage;
  }

  private @Nullable TraceException readChunk(Path file, JfrChunks chunks) throws TraceException {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        number++;
        take(recording.readEvent());
      }
      return null;
    } catch (TraceException e) {
      throw e;
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      // The parser trusts what it reads: damage shows as any of these, of memory as well.
      return chunks.damaged(
          e instanceof OutOfMemoryError
              ? "it needs more memory than there is, which damage may pretend"
              : String.valueOf(e.getMessage()));
    }
  }

  private void take(RecordedEvent event) throws TraceException {
    String name = event.getEventType().getName();
    if (name.startsWith(NETTY)) {
      takeNetty(name.substring(NETTY.length()), event);
    } else if (name.startsWith(CISTERN)) {
      cisternEvents++;
      takeCistern(name.substring(CISTERN.length()), event);
    }
  }

  private void takeNetty(String name, RecordedEvent event) throws TraceException {
    switch (name) {
      case "AllocateBuffer" -> takeBuffer(JfrAllocations.ALLOCATE, event);
      case "FreeBuffer" -> takeBuffer(JfrAllocations.FREE, event);
      case "ReallocateBuffer" -> takeBuffer(JfrAllocations.REALLOCATE, event);
      case "AllocateChunk" ->
          takeHeld(ofNetty(event), event, event.getLong("address"), event.getInt("capacity"));
      case "FreeChunk" ->
          takeHeld(ofNetty(event), event, event.getLong("address"), -event.getInt("capacity"));
      default -> {}
    }
  }

  private void takeCistern(String name, RecordedEvent event) throws TraceException {
    switch (name) {
      case "Served" -> takeRequest(JfrAllocations.ALLOCATE, event);
      case "Released" -> takeRequest(JfrAllocations.FREE, event);
      case "Refused" -> takeRequest(JfrAllocations.REFUSE, event);
      case "PageMade" -> takeHeld(ofCistern(event), event, 0, event.getLong("pageSize"));
      case "PageGivenBack" -> takeHeld(ofCistern(event), event, 0, -event.getLong("pageSize"));
      default -> {}
    }
  }

  private static String ofCistern(RecordedEvent event) {
    return "cistern:" + event.getString("manager");
  }

  private static String ofNetty(RecordedEvent event) {
    return event.getBoolean("direct") ? "netty-direct" : "netty-heap";
  }

  /** What a free must share with its allocation where there is no address. */
  private record BufferKind(String allocator, long capacity, long maxCapacity) {}

  private record RequestKind(int pool, long byteSize) {}

  private void takeBuffer(int action, RecordedEvent event) throws TraceException {
    long byteSize = event.getInt("size");
    long capacity = event.getInt("maxFastCapacity");
    long newByteSize = action == JfrAllocations.REALLOCATE ? event.getInt("newCapacity") : 0;
    long address = event.getLong("address");
    if (byteSize < 0 || capacity < 0 || newByteSize < 0) {
      faults.add(number, "event " + number + " has a negative size");
      return;
    }
    @Nullable RecordedClass type = event.getClass("allocatorType");
    String allocator = type == null ? "" : type.getName();
    allocations.add(
        action,
        ofNetty(event),
        nanos(event),
        number,
        address > 0
            ? address
            : kind(new BufferKind(allocator, capacity, event.getInt("maxCapacity"))),
        byteSize,
        capacity,
        newByteSize,
        thread(event));
  }

  private void takeRequest(int action, RecordedEvent event) throws TraceException {
    long byteSize = event.getLong("requestSize");
    if (byteSize < 0) {
      faults.add(number, "event " + number + " has a negative size");
      return;
    }
    int pool = action == JfrAllocations.REFUSE ? 0 : event.getInt("pool");
    allocations.add(
        action,
        ofCistern(event),
        nanos(event),
        number,
        kind(new RequestKind(pool, byteSize)),
        byteSize,
        byteSize,
        0,
        thread(event));
  }

  private void takeHeld(String device, RecordedEvent event, long address, long bytes)
      throws TraceException {
    held.add(device, nanos(event), number, address, bytes);
  }

  /** Stands for an address: below 0, the same for all of a kind. */
  private long kind(Object kind) {
    return kinds.computeIfAbsent(kind, _ -> -1L - kinds.size());
  }

  private static long nanos(RecordedEvent event) {
    Instant time = event.getStartTime();
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  private static long thread(RecordedEvent event) {
    @Nullable RecordedThread thread = event.getThread();
    return thread == null ? 0 : thread.getId();
  }
}
