package io.cistern.trace.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.JsonInput;
import io.cistern.trace.table.LongTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the {@code [memory]} events of a PyTorch profiler trace, a Chrome trace by Kineto: an
 * object with {@code traceEvents}, or their array alone.
 *
 * <p>Events are put in the order of their times, and devices kept apart. Negative {@code Bytes} are
 * frees. Sizes are those of PyTorch's blocks, rounded up; what was live all the time has no row.
 */
final class ChromeTrace {

  private static final int TIME = 0;
  private static final int ADDRESS = 1;
  private static final int BYTES = 2;
  private static final int ALLOCATED = 3;
  private static final int RESERVED = 4;
  private static final int DEVICE = 5;
  private static final int LINE = 6;
  private static final int COLUMNS = 7;

  private final TraceInput input;
  private final TraceFaults faults;
  private final LongTable events;
  private final RecordedFacts facts = new RecordedFacts();
  private final Map<String, Integer> deviceIndices = new LinkedHashMap<>();

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
    this.input = input;
    this.faults = input.faults();
    this.events = new LongTable(COLUMNS, faults);
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
        fields.hasBytes = true;
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
      objectEvents += fields.phase.matches("[NOD]") ? 1 : 0;
      return;
    }
    memoryEvents++;
    if (!fields.hasTime || !fields.hasBytes) {
      faults.add(line, "a [memory] event has no ts or no Bytes");
    } else if (!fields.hasAddress) {
      firstLineWithoutAddress = withoutAddress == 0 ? line : firstLineWithoutAddress;
      withoutAddress++;
    } else {
      String device = fields.deviceType + ":" + fields.deviceId;
      int index = deviceIndices.computeIfAbsent(device, _ -> deviceIndices.size());
      events.add(
          line,
          fields.timeNanos,
          fields.address,
          fields.bytes,
          fields.allocated,
          fields.reserved,
          index,
          line);
    }
  }

  private void check() throws TraceException {
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
    int device = chooseDevice();
    int[] order = order(device);
    Recording recording = new Recording(facts, faults);
    for (int event : order) {
      long bytes = events.get(event, BYTES);
      if (bytes >= 0) {
        recording.foreseeAllocation(events.get(event, ADDRESS));
      } else {
        recording.foreseeFree(events.get(event, ADDRESS), -bytes, 0);
      }
    }
    recording.begin(order.length == 0 ? TraceReader.UNKNOWN : events.get(order[0], RESERVED));
    replay(recording, order);
    return recording.rows().reader(TraceFormat.CHROME_TRACE, facts);
  }

  private int chooseDevice() throws TraceException {
    long[] counts = new long[deviceIndices.size()];
    for (int i = 0; i < events.rows(); i++) {
      counts[(int) events.get(i, DEVICE)]++;
    }
    List<TraceFacts.Device> devices = new ArrayList<>();
    deviceIndices.forEach((name, index) -> devices.add(new TraceFacts.Device(name, counts[index])));
    TraceFacts.Device fullest =
        devices.stream()
            .max(Comparator.comparingLong(TraceFacts.Device::events))
            .orElseThrow(() -> faults.error(1, "no [memory] event can be read"));
    TraceFacts.Device chosen = ChosenDevice.of(input, devices, fullest);
    facts.setDevices(devices, chosen);
    facts.add(TraceFacts.Count.EVENTS, chosen.events());
    return devices.indexOf(chosen);
  }

  /** The events of a device by time; in the order of the file where times are equal. */
  private int[] order(int device) {
    List<Integer> order = new ArrayList<>();
    long latest = Long.MIN_VALUE;
    for (int i = 0; i < events.rows(); i++) {
      if (events.get(i, DEVICE) == device) {
        order.add(i);
        long time = events.get(i, TIME);
        facts.add(TraceFacts.Count.OUT_OF_ORDER, time < latest ? 1 : 0);
        latest = Math.max(latest, time);
      }
    }
    Integer[] sorted = order.toArray(new Integer[0]);
    Arrays.sort(sorted, Comparator.comparingLong(event -> events.get(event, TIME)));
    return Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
  }

  private void replay(Recording recording, int[] order) throws TraceException {
    long start = order.length == 0 ? 0 : events.get(order[0], TIME);
    long total = facts.count(TraceFacts.Count.BEFORE_BYTES);
    long unseen = TraceReader.UNKNOWN;
    for (int event : order) {
      long bytes = events.get(event, BYTES);
      long time = Math.floorDiv(events.get(event, TIME) - start, 1000L);
      long address = events.get(event, ADDRESS);
      long line = events.get(event, LINE);
      long held = events.get(event, RESERVED);
      if (bytes >= 0) {
        recording.allocated(address, bytes, 0, time, line, held);
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
