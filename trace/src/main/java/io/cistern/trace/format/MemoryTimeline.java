package io.cistern.trace.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cistern.trace.Origin;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.JsonInput;
import io.cistern.trace.table.HeapBudget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what PyTorch's profiler exports as {@code memory_timeline.raw.json}: an array of {@code
 * [time in ns, action, bytes, category]}.
 *
 * <p>It has no ids. A free is taken to be of the youngest live block of its size and category, so
 * totals are exact, and lifetimes are where such blocks do not overlap. A change of category is two
 * entries, out of the old one and into the new one, and no row.
 *
 * <p>Source: {@code torch/profiler/_memory_profiler.py}.
 */
final class MemoryTimeline {

  private static final int CHANGE_CATEGORY = 3;
  private static final int MOST_ACTION = 4;
  private static final int VALUES = 4;

  /** The categories by number. */
  private static final List<String> CATEGORIES =
      List.of(
          "parameter",
          "optimizer state",
          "input",
          "temporary",
          "activation",
          "gradient",
          "autograd detail",
          "no category");

  private record Kind(long byteSize, long category) {}

  private final TraceFaults faults;
  private final RowTable rows;
  private final RecordedFacts facts = new RecordedFacts();
  private final Map<Kind, Deque<Long>> live = new HashMap<>();
  private final Deque<Long> changing = new ArrayDeque<>();
  private final long[] entry = new long[VALUES];
  private long nextId;
  private long start = TraceReader.UNKNOWN;

  private MemoryTimeline(TraceFaults faults) {
    this.faults = faults;
    this.rows = new RowTable(new HeapBudget(), faults);
  }

  static TraceReader read(TraceInput input) throws IOException {
    MemoryTimeline timeline = new MemoryTimeline(input.faults());
    JsonInput.read(input.in(), input.faults(), timeline::document);
    timeline.facts.addNote(
        "the timeline has no ids: a free is taken to be of the youngest block of its size and"
            + " category");
    return timeline.rows.reader(TraceFormat.MEMORY_TIMELINE, timeline.facts);
  }

  private void document(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_ARRAY) {
      throw faults.error(1, "this is no memory timeline: that is an array of arrays");
    }
    for (long number = 1; parser.nextToken() != JsonToken.END_ARRAY; number++) {
      if (readEntry(parser)) {
        facts.add(TraceFacts.Count.EVENTS, 1);
        take(number);
      } else {
        faults.add(number, "entry " + number + " is not [time, action, bytes, category]");
      }
    }
  }

  private boolean readEntry(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return false;
    }
    int count = 0;
    boolean good = true;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      good &= count < VALUES && JsonInput.isLong(parser);
      if (good) {
        entry[count] = parser.getLongValue();
      }
      count++;
      parser.skipChildren();
    }
    return good && count == VALUES && entry[1] >= 1 && entry[1] <= MOST_ACTION;
  }

  private void take(long number) throws TraceException {
    long byteSize = Math.abs(entry[2]);
    Deque<Long> blocks =
        live.computeIfAbsent(new Kind(byteSize, entry[3]), _ -> new ArrayDeque<>());
    boolean change = entry[1] == CHANGE_CATEGORY;
    if (entry[2] >= 0) {
      @Nullable Long changed = change ? changing.poll() : null;
      if (changed != null) {
        blocks.push(changed);
      } else {
        rows.allocated(nextId, byteSize, 0, time(), number, TraceReader.UNKNOWN, origin());
        blocks.push(nextId++);
      }
      return;
    }
    @Nullable Long youngest = blocks.poll();
    if (youngest == null) {
      facts.add(TraceFacts.Count.UNMATCHED_FREES, 1);
      faults.add(
          number,
          "free of " + byteSize + " bytes in category " + entry[3] + ", where none are live");
    } else if (change) {
      changing.push(youngest);
    } else {
      rows.freed(youngest, byteSize, 0, time(), number, TraceReader.UNKNOWN);
    }
  }

  private int origin() {
    return entry[3] >= 0 && entry[3] < CATEGORIES.size()
        ? rows.origins().number(new Origin(CATEGORIES.get((int) entry[3]), ""))
        : OriginTable.NONE;
  }

  /** From the first entry with a time; those that were live before have none. */
  private long time() {
    if (entry[0] < 0) {
      return 0;
    }
    if (start == TraceReader.UNKNOWN) {
      start = entry[0];
    }
    return Math.floorDiv(entry[0] - start, 1000L);
  }
}
