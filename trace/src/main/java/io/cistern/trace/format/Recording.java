package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.table.HeapBudget;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of the events of one device in the order of their calls, which name blocks by address.
 * Blocks from before the recording are put in front, at time 0 and by address.
 *
 * <p>First comes a pass over all events that foresees their allocations and frees, which finds
 * these blocks, then one of {@link #allocated} and {@link #freed} over the same events.
 */
final class Recording {

  /** What entries of the maps below take about, keys and values included. */
  private static final long ENTRY_BYTE_SIZE = 96;

  /**
   * A live block.
   *
   * @param id its id
   * @param byteSize its size in bytes
   */
  private record Live(long id, long byteSize) {}

  /** A block from before. */
  private record Before(long address, long byteSize, long stream, int origin) {}

  private final RowTable rows;
  private final RecordedFacts facts;
  private final HeapBudget budget;
  private final TraceFaults faults;
  private final StreamNumbers streams = new StreamNumbers();

  // By address: whether what was foreseen last was an allocation.
  private final Map<Long, Boolean> foreseen = new HashMap<>();
  private final Map<Long, Before> before = new HashMap<>();
  private final Map<Long, Live> live = new HashMap<>();
  private long nextId;

  Recording(RecordedFacts facts, HeapBudget budget, TraceFaults faults) {
    this.rows = new RowTable(budget, faults);
    this.facts = facts;
    this.budget = budget;
    this.faults = faults;
  }

  private void take(long byteSize, long line) throws TraceException {
    if (!budget.take(byteSize)) {
      throw faults.error(line, budget.why());
    }
  }

  /** An allocation will come. */
  void foreseeAllocation(long address) throws TraceException {
    if (foreseen.put(address, true) == null) {
      take(ENTRY_BYTE_SIZE, 0);
    }
  }

  /** A free will come; of a block from before if nothing was ever at its address. */
  void foreseeFree(long address, long byteSize, long stream) throws TraceException {
    if (foreseen.put(address, false) == null) {
      take(2 * ENTRY_BYTE_SIZE, 0);
      before.put(address, new Before(address, byteSize, stream, OriginTable.NONE));
    }
  }

  /** A block is live at the end; from before if the events don't tell of its allocation. */
  void foreseeLiveAtEnd(long address, long byteSize, long stream, int origin)
      throws TraceException {
    if (!foreseen.getOrDefault(address, false)
        && before.putIfAbsent(address, new Before(address, byteSize, stream, origin)) == null) {
      take(ENTRY_BYTE_SIZE, 0);
    }
  }

  /** All is foreseen: writes the rows of the blocks from before. */
  void begin(long held) throws TraceException {
    List<Before> blocks = new ArrayList<>(before.values());
    blocks.sort(Comparator.comparingLong(Before::address));
    budget.giveBack(ENTRY_BYTE_SIZE * (foreseen.size() + before.size()));
    foreseen.clear();
    before.clear();
    for (Before block : blocks) {
      allocated(block.address, block.byteSize, block.stream, 0, 0, held, block.origin);
      facts.add(TraceFacts.Count.BEFORE_ALLOCATIONS, 1);
      facts.add(TraceFacts.Count.BEFORE_BYTES, block.byteSize);
    }
  }

  void allocated(
      long address, long byteSize, long stream, long timeMicros, long line, long held, int origin)
      throws TraceException {
    @Nullable Live there = live.remove(address);
    if (there != null) {
      faults.addOdd(line, "an allocation at 0x%x, which is live".formatted(address));
      facts.add(TraceFacts.Count.REUSED_LIVE, 1);
      rows.freed(there.id, there.byteSize, streams.of(stream), timeMicros, line, held);
    } else {
      take(ENTRY_BYTE_SIZE, line);
    }
    live.put(address, new Live(nextId, byteSize));
    rows.allocated(nextId++, byteSize, streams.of(stream), timeMicros, line, held, origin);
  }

  /** A block was freed, whose size the event tells. */
  void freed(long address, long byteSize, long stream, long timeMicros, long line, long held)
      throws TraceException {
    @Nullable Live there = live.get(address);
    if (there != null && there.byteSize != byteSize) {
      faults.addOdd(
          line,
          "size differs from the allocation: freed with %d, allocated with %d"
              .formatted(byteSize, there.byteSize));
    }
    freed(address, stream, timeMicros, line, held);
  }

  /** A block was freed. */
  void freed(long address, long stream, long timeMicros, long line, long held)
      throws TraceException {
    @Nullable Live there = live.remove(address);
    if (there == null) {
      facts.add(TraceFacts.Count.UNMATCHED_FREES, 1);
      faults.add(line, "free of an unknown address, 0x%x".formatted(address));
      return;
    }
    budget.giveBack(ENTRY_BYTE_SIZE);
    rows.freed(there.id, there.byteSize, streams.of(stream), timeMicros, line, held);
  }

  /** The number of a stream. */
  int stream(long raw) {
    return streams.of(raw);
  }

  RowTable rows() {
    return rows;
  }
}
