package io.cistern.trace.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.JsonInput;
import io.cistern.trace.table.HeapBudget;
import java.io.IOException;

/**
 * Reads the {@code [memory]} events of a PyTorch profiler trace, a Chrome trace by Kineto: an
 * object with {@code traceEvents}, or their array alone.
 *
 * <p>Events are put in the order of their times, and devices kept apart. Negative {@code Bytes} are
 * frees. Sizes are those of PyTorch's blocks, rounded up; what was live all the time has no row.
 */
final class ChromeTrace {

  private static final int ADDRESS = TimedEvents.FIRST_OWN;
  private static final int BYTES = ADDRESS + 1;
  private static final int ALLOCATED = ADDRESS + 2;
  private static final int RESERVED = ADDRESS + 3;
  private static final int OWN_COLUMNS = 4;

  private final TraceFaults faults;
  private final HeapBudget budget = new HeapBudget();
  private final TimedEvents events;
  private final RecordedFacts facts = new RecordedFacts();

  // Of the present event.
  private final Fields fields = new Fields();

  private long memoryEvents;
  private long otherEvents;
  private long objectEvents;
  private long withoutAddress;
  private long firstLineWithoutAddress;

  private static final class Fields {
    private String name = "";
    private String phase = "";
    private long timeNanos;
    private boolean hasTime;
    private boolean hasAddress;
    private boolean hasBytes;
    private long address;
    private long bytes;
    private long allocated;
    private long reserved;
    private long deviceType;
    private long deviceId;

    void clear() {
      name = "";
      phase = "";
      hasTime = false;
      hasAddress = false;
      hasBytes = false;
      allocated = TraceReader.UNKNOWN;
      reserved = TraceReader.UNKNOWN;
      deviceType = 0;
      deviceId = -1;
    }
  }

  private ChromeTrace(TraceInput input) {
    this.faults = input.faults();
    this.events = new TimedEvents(OWN_COLUMNS, input, budget);
  }

  static TraceReader read(TraceInput input) throws IOException {
    ChromeTrace trace = new ChromeTrace(input);
    JsonInput.read(input.in(), input.faults(), trace::document);
    trace.check();
    return trace.rows();
  }

  private void document(JsonParser parser) throws IOException {
    JsonToken top = parser.nextToken();
    if (top == null) {
      throw faults.error(1, "the file is empty");
    }
    if (top == JsonToken.START_ARRAY) {
      events(parser);
      return;
    }
    if (top != JsonToken.START_OBJECT) {
      throw faults.error(1, "this is no Chrome trace: that is an object or an array");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = parser.currentName().equals("traceEvents");
      if (parser.nextToken() == JsonToken.START_ARRAY && wanted) {
        events(parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void events(JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        long line = JsonInput.line(parser);
        fields.clear();
        event(parser);
        take(line);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void event(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (key) {
        case "name" -> fields.name = text(parser);
        case "ph" -> fields.phase = text(parser);
        case "ts" -> {
          fields.hasTime = value.isNumeric();
          fields.timeNanos = JsonInput.thousandths(parser);
        }
        case "args" -> {
          if (value == JsonToken.START_OBJECT) {
            arguments(parser);
          }
        }
        default -> {}
      }
      parser.skipChildren();
    }
  }

  private static String text(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getText() : "";
  }

  private void arguments(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      parser.nextToken();
      if (JsonInput.isLong(parser)) {
        argument(key, parser.getLongValue());
      }
      parser.skipChildren();
    }
  }

  private void argument(String key, long value) {
    switch (key) {
      case "Addr" -> {
        fields.hasAddress = true;
        fields.address = value;
      }
      case "Bytes" -> {
        fields.hasBytes = value != Long.MIN_VALUE;
        fields.bytes = value;
      }
      case "Total Allocated" -> fields.allocated = value;
      case "Total Reserved" -> fields.reserved = value;
      case "Device Type" -> fields.deviceType = value;
      case "Device Id" -> fields.deviceId = value;
      default -> {}
    }
  }

  private void take(long line) throws TraceException {
    if (!fields.name.equals("[memory]")) {
      otherEvents++;
      switch (fields.phase) {
        case "N", "O", "D" -> objectEvents++;
        default -> {}
      }
      return;
    }
    memoryEvents++;
    if (!fields.hasTime || !fields.hasBytes) {
      faults.add(line, "a [memory] event has no ts or no Bytes");
    } else if (!fields.hasAddress) {
      firstLineWithoutAddress = withoutAddress == 0 ? line : firstLineWithoutAddress;
      withoutAddress++;
    } else {
      events.add(
          fields.timeNanos,
          events.device(fields.deviceType + ":" + fields.deviceId),
          line,
          fields.address,
          fields.bytes,
          fields.allocated,
          fields.reserved);
    }
  }

  private void check() throws TraceException {
    if (memoryEvents == 0 && !faults.problems().isEmpty()) {
      throw faults.problems().getFirst();
    }
    if (memoryEvents == 0) {
      throw faults.error(
          1,
          "there are no [memory] events among "
              + otherEvents
              + " events: PyTorch's profiler writes them with profile_memory=True"
              + (objectEvents > 0
                  ? "; object events, such as GPGMM's, are not a format that Cistern reads"
                  : ""));
    }
    if (withoutAddress == memoryEvents) {
      throw faults.error(
          firstLineWithoutAddress,
          "the [memory] events have no Addr, as older versions of PyTorch wrote them: a free can't"
              + " be matched with its allocation");
    }
    if (withoutAddress > 0) {
      faults.add(
          firstLineWithoutAddress,
          withoutAddress + " [memory] events have no Addr, this the first");
    }
  }

  private TraceReader rows() throws IOException {
    int device = events.device(events.choose(facts).name());
    int[] order = events.inOrder(device);
    facts.add(TraceFacts.Count.OUT_OF_ORDER, events.outOfOrder(device));
    Recording recording = new Recording(facts, budget, faults);
    for (int event : order) {
      long bytes = events.get(event, BYTES);
      if (bytes >= 0) {
        recording.foreseeAllocation(events.get(event, ADDRESS));
      } else {
        recording.foreseeFree(events.get(event, ADDRESS), -bytes, 0);
      }
    }
    recording.begin(events.get(order[0], RESERVED));
    replay(recording, order);
    return recording.rows().reader(TraceFormat.CHROME_TRACE, facts);
  }

  private void replay(Recording recording, int[] order) throws TraceException {
    long start = events.get(order[0], TimedEvents.TIME);
    long total = facts.count(TraceFacts.Count.BEFORE_BYTES);
    long unseen = TraceReader.UNKNOWN;
    for (int event : order) {
      long bytes = events.get(event, BYTES);
      long time = Math.floorDiv(events.get(event, TimedEvents.TIME) - start, 1000L);
      long address = events.get(event, ADDRESS);
      long line = events.get(event, TimedEvents.LINE);
      long held = events.get(event, RESERVED);
      if (bytes >= 0) {
        recording.allocated(address, bytes, 0, time, line, held, OriginTable.NONE);
      } else {
        recording.freed(address, -bytes, 0, time, line, held);
      }
      total += bytes;
      if (events.get(event, ALLOCATED) >= 0) {
        long now = events.get(event, ALLOCATED) - total;
        if (unseen == TraceReader.UNKNOWN) {
          unseen = now;
          facts.add(TraceFacts.Count.UNSEEN_BYTES, Math.max(0, unseen));
        }
        facts.add(TraceFacts.Count.DISAGREEMENTS, now == unseen ? 0 : 1);
      }
    }
  }
}
