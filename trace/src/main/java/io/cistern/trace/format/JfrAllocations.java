package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.table.HeapBudget;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of what allocators recorded with Flight Recorder.
 *
 * <p>Where an allocation has an address, its free has the same. Where it has none, as on the Java
 * heap, a free is taken to be of the youngest live allocation of its kind: totals are exact, and
 * lifetimes are where allocations of a kind do not overlap.
 *
 * <p>Netty tells a buffer that moved by two events of a thread, one with its old place and the next
 * with its new one; it keeps the old place while it copies, so the rows are an allocation and then
 * a free.
 */
final class JfrAllocations {

  static final int ALLOCATE = 0;
  static final int FREE = 1;
  static final int REALLOCATE = 2;
  static final int REFUSE = 3;

  private static final int ACTION = TimedEvents.FIRST_OWN;
  // At first perhaps the number of a kind, below 0; then of one allocation, below 0 as well.
  private static final int ADDRESS = ACTION + 1;
  private static final int BYTES = ACTION + 2;
  private static final int CAPACITY = ACTION + 3;
  private static final int NEW_BYTES = ACTION + 4;
  private static final int THREAD = ACTION + 5;
  private static final int HELD = ACTION + 6;
  private static final int OWN_COLUMNS = 7;

  private final TraceInput input;
  private final HeapBudget budget;
  private final HeldCurve curve;
  private final TimedEvents events;
  private final RecordedFacts facts = new RecordedFacts();

  // While events are matched.
  private final Map<Long, Deque<Long>> liveOfKinds = new HashMap<>();
  private final Map<Long, Integer> moving = new HashMap<>();
  private long lastNumber;
  private long liveBytes;
  private boolean curveKnown;

  JfrAllocations(TraceInput input, HeapBudget budget, HeldCurve curve) {
    this.input = input;
    this.budget = budget;
    this.curve = curve;
    this.events = new TimedEvents(OWN_COLUMNS, input, budget);
  }

  boolean isEmpty() {
    return events.count() == 0;
  }

  /**
   * Adds an event.
   *
   * @param action one of the constants
   * @param address where it is; below 0, the number of its kind
   * @param capacity what it takes of the allocator's memory
   * @param newByteSize what a reallocation asks for
   */
  void add(
      int action,
      String device,
      long timeNanos,
      long line,
      long address,
      long byteSize,
      long capacity,
      long newByteSize,
      long thread)
      throws TraceException {
    int index = events.device(device);
    events.add(timeNanos, index, line, action, address, byteSize, capacity, newByteSize, thread, 0);
  }

  TraceReader rows() throws TraceException {
    TraceFacts.Device device = events.choose(facts);
    int[] order = events.inOrder(events.device(device.name()));
    curveKnown = curve.begin(device.name());
    boolean curveTold = curveKnown;
    int[] matched = match(order);
    note(curveTold);
    long start = events.get(order[0], TimedEvents.TIME);
    Recording recording = new Recording(facts, budget, input.faults());
    for (int event : matched) {
      foresee(recording, event);
    }
    recording.begin(matched.length == 0 ? TraceReader.UNKNOWN : held(matched[0]));
    for (int event : matched) {
      replay(recording, event, start);
    }
    recording.rows().holdAtEnd(curveKnown ? curve.upTo(Long.MAX_VALUE) : TraceReader.UNKNOWN);
    return recording.rows().reader(TraceFormat.JFR, facts);
  }

  private void note(boolean curveTold) {
    if (!liveOfKinds.isEmpty()) {
      facts.addNote(
          "the events have no addresses: a free is taken to be of the youngest allocation of its"
              + " kind");
    }
    if (curveTold && !curveKnown) {
      facts.addNote(
          "the recording does not tell of all that the allocator held: no recorded curve");
    }
  }

  // First: which free is of which allocation, and what was held.

  /** The events in the order of their rows; what moved is freed where its new place is told. */
  private int[] match(int[] order) {
    int[] matched = new int[order.length];
    int count = 0;
    for (int event : order) {
      long thread = events.get(event, THREAD);
      facts.addThread(thread);
      switch ((int) events.get(event, ACTION)) {
        case ALLOCATE -> {
          int moved = moved(moving.remove(thread), event);
          matchAllocation(event);
          matched[count++] = event;
          if (moved >= 0) {
            matched[count++] = moved;
          }
        }
        case FREE -> {
          matchFree(event);
          matched[count++] = event;
        }
        case REALLOCATE -> moving.put(thread, event);
        default -> refuse(event);
      }
    }
    return Arrays.copyOf(matched, count);
  }

  private void refuse(int event) {
    facts.addFailure(
        new TraceFacts.FailedRequest(
            events.get(event, TimedEvents.LINE), events.get(event, BYTES), 0));
  }

  /** The free of what an allocation took the place of; -1 if it is no such allocation. */
  private int moved(@Nullable Integer reallocation, int allocation) {
    if (reallocation == null
        || events.get(reallocation, NEW_BYTES) != events.get(allocation, BYTES)) {
      return -1;
    }
    events.set(reallocation, ACTION, FREE);
    events.set(reallocation, TimedEvents.TIME, events.get(allocation, TimedEvents.TIME));
    matchFree(reallocation);
    return reallocation;
  }

  private void matchAllocation(int event) {
    long address = events.get(event, ADDRESS);
    if (address < 0) {
      lastNumber--;
      liveOfKinds.computeIfAbsent(address, _ -> new ArrayDeque<>()).push(lastNumber);
      events.set(event, ADDRESS, lastNumber);
    }
    events.set(event, HELD, curve.upTo(events.get(event, TimedEvents.TIME)));
    liveBytes += events.get(event, CAPACITY);
    curveKnown &= curve.covers(address, liveBytes);
  }

  private void matchFree(int event) {
    long address = events.get(event, ADDRESS);
    if (address < 0) {
      @Nullable Long youngest =
          liveOfKinds.computeIfAbsent(address, _ -> new ArrayDeque<>()).poll();
      if (youngest == null) {
        // From before the recording, as perhaps other memory that is not told of.
        curveKnown = false;
        youngest = --lastNumber;
      }
      events.set(event, ADDRESS, youngest);
    }
    events.set(event, HELD, curve.upTo(events.get(event, TimedEvents.TIME)));
    liveBytes = Math.max(0, liveBytes - events.get(event, CAPACITY));
  }

  // Then: the rows.

  private void foresee(Recording recording, int event) throws TraceException {
    long address = events.get(event, ADDRESS);
    if (events.get(event, ACTION) == ALLOCATE) {
      recording.foreseeAllocation(address);
    } else {
      recording.foreseeFree(address, events.get(event, BYTES), 0);
    }
  }

  private void replay(Recording recording, int event, long start) throws TraceException {
    long address = events.get(event, ADDRESS);
    long line = events.get(event, TimedEvents.LINE);
    long time = (events.get(event, TimedEvents.TIME) - start) / 1000;
    if (events.get(event, ACTION) == ALLOCATE) {
      recording.allocated(
          address, events.get(event, BYTES), 0, time, line, held(event), OriginTable.NONE);
    } else {
      // A buffer may have got another size in its place since.
      recording.freed(address, 0, time, line, held(event));
    }
  }

  private long held(int event) {
    return curveKnown ? events.get(event, HELD) : TraceReader.UNKNOWN;
  }
}
