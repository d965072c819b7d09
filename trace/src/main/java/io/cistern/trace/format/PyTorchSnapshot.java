package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.input.DamagedInputException;
import io.cistern.trace.pickle.PickleException;
import io.cistern.trace.pickle.PlainDict;
import io.cistern.trace.pickle.Unpickler;
import io.cistern.trace.table.HeapBudget;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads a PyTorch memory snapshot: what {@code torch.cuda.memory._snapshot()} or {@code
 * memory_snapshot()} gave, pickled.
 *
 * <p>A free is told when it completed, not when it was requested: until then work on other streams
 * may still use the block. Sizes are the requested ones. A snapshot without a trace, or of only a
 * part of one, begins with the blocks that its segments hold.
 */
final class PyTorchSnapshot {

  private final TraceInput input;
  private final HeapBudget budget;
  private final List<PlainDict> segments;
  private final List<List<PlainDict>> traces;
  private final RecordedFacts facts = new RecordedFacts();

  private PyTorchSnapshot(
      TraceInput input, HeapBudget budget, List<PlainDict> segments, List<List<PlainDict>> traces) {
    this.input = input;
    this.budget = budget;
    this.segments = segments;
    this.traces = traces;
  }

  static TraceReader read(TraceInput input) throws IOException {
    HeapBudget budget = new HeapBudget();
    @Nullable Object top;
    try (var in = input.in()) {
      top = Unpickler.read(in, budget);
    } catch (PickleException e) {
      throw input.faults().errorAtByte(e.byteOffset(), String.valueOf(e.getMessage()));
    } catch (DamagedInputException e) {
      throw input.faults().error(1, String.valueOf(e.getMessage()));
    }
    return of(input, budget, top).rows();
  }

  private static PyTorchSnapshot of(TraceInput input, HeapBudget budget, @Nullable Object top)
      throws IOException {
    if (top instanceof List<?> segments) {
      return new PyTorchSnapshot(input, budget, dicts(input, segments, "a segment"), List.of());
    }
    if (!(top instanceof PlainDict dict)
        || !(dict.get("segments") instanceof List<?> segments)
        || !(dict.get("device_traces") instanceof List<?> || !dict.has("device_traces"))) {
      throw input
          .faults()
          .error(
              1,
              "this pickle is no memory snapshot: that is a list of segments, or a dictionary"
                  + " with \"segments\" and perhaps \"device_traces\"");
    }
    List<List<PlainDict>> traces = new ArrayList<>();
    if (dict.get("device_traces") instanceof List<?> lists) {
      for (Object list : lists) {
        traces.add(list instanceof List<?> events ? dicts(input, events, "an event") : List.of());
      }
    }
    return new PyTorchSnapshot(input, budget, dicts(input, segments, "a segment"), traces);
  }

  private static List<PlainDict> dicts(TraceInput input, List<?> values, String what)
      throws IOException {
    List<PlainDict> dicts = new ArrayList<>(values.size());
    for (Object value : values) {
      if (!(value instanceof PlainDict dict)) {
        throw input.faults().error(dicts.size() + 1L, what + " of the snapshot is no dictionary");
      }
      dicts.add(dict);
    }
    return dicts;
  }

  /** A device, by the place of its trace, with what is known of it. */
  private record Candidate(long device, long events, long segments) {}

  private TraceReader rows() throws IOException {
    long device = chooseDevice();
    List<PlainDict> events = events(device);
    List<PlainDict> own =
        segments.stream().filter(segment -> number(segment, "device", 0) == device).toList();
    facts.add(TraceFacts.Count.EVENTS, events.size());
    facts.add(TraceFacts.Count.SEGMENTS, own.size());
    if (events.isEmpty()) {
      facts.addNote("the snapshot has no trace of this device: its live blocks are all rows");
    }
    Recording recording = new Recording(facts, budget, input.faults());
    foresee(recording, events, own);
    long held = heldBefore(events, own);
    recording.begin(held);
    replay(recording, events, held);
    return recording.rows().reader(TraceFormat.PYTORCH_SNAPSHOT, facts);
  }

  /** The devices that have a segment or an event. */
  private List<Candidate> candidates() {
    SortedMap<Long, Long> segmentsOf = new TreeMap<>();
    for (PlainDict segment : segments) {
      segmentsOf.merge(number(segment, "device", 0), 1L, Long::sum);
    }
    for (int i = 0; i < traces.size(); i++) {
      if (!traces.get(i).isEmpty()) {
        segmentsOf.putIfAbsent((long) i, 0L);
      }
    }
    List<Candidate> all = new ArrayList<>();
    segmentsOf.forEach(
        (device, count) -> all.add(new Candidate(device, events(device).size(), count)));
    return all;
  }

  private List<PlainDict> events(long device) {
    return device >= 0 && device < traces.size() ? traces.get((int) device) : List.of();
  }

  private long chooseDevice() throws IOException {
    List<Candidate> all = candidates();
    if (all.isEmpty()) {
      throw input.faults().error(1, "the snapshot is empty: no device has a segment or an event");
    }
    List<TraceFacts.Device> devices =
        all.stream()
            .map(one -> new TraceFacts.Device(Long.toString(one.device), one.events))
            .toList();
    Candidate fullest =
        all.stream()
            .max(
                Comparator.comparingLong(Candidate::events)
                    .thenComparingLong(Candidate::segments)
                    .thenComparingLong(one -> -one.device))
            .orElseThrow();
    TraceFacts.Device chosen = ChosenDevice.of(input, devices, devices.get(all.indexOf(fullest)));
    facts.setDevices(devices, chosen);
    return Long.parseLong(chosen.name());
  }

  private void foresee(Recording recording, List<PlainDict> events, List<PlainDict> own)
      throws TraceException {
    for (PlainDict event : events) {
      switch (action(event)) {
        case "alloc" -> recording.foreseeAllocation(number(event, "addr", 0));
        case "free_completed" ->
            recording.foreseeFree(
                number(event, "addr", 0), number(event, "size", 0), number(event, "stream", 0));
        default -> {}
      }
    }
    for (PlainDict segment : own) {
      long address = number(segment, "address", 0);
      for (PlainDict block : blocks(segment)) {
        if (block.get("state") instanceof String state && state.startsWith("active")) {
          recording.foreseeLiveAtEnd(
              number(block, "address", address),
              requestedByteSize(block),
              number(segment, "stream", 0),
              origin(recording, block));
        }
        // Before 2024 blocks did not say where they are; they lie one behind the other.
        address += number(block, "size", 0);
      }
    }
  }

  /** The calls of an event, or of a block, which before 2024 had them in its history alone. */
  private int origin(Recording recording, PlainDict told) {
    if (!input.origins()) {
      return OriginTable.NONE;
    }
    return (told.has("frames") ? told : newest(told)).get("frames") instanceof List<?> frames
        ? recording.rows().origins().number(frames, PythonFrames::origin)
        : OriginTable.NONE;
  }

  private static PlainDict newest(PlainDict block) {
    return block.get("history") instanceof List<?> history
            && !history.isEmpty()
            && history.getFirst() instanceof PlainDict newest
        ? newest
        : block;
  }

  private static List<PlainDict> blocks(PlainDict segment) {
    return segment.get("blocks") instanceof List<?> blocks
        ? blocks.stream().filter(PlainDict.class::isInstance).map(PlainDict.class::cast).toList()
        : List.of();
  }

  private static long requestedByteSize(PlainDict block) {
    long byteSize = number(newest(block), "real_size", number(block, "size", 0));
    return number(block, "requested_size", byteSize);
  }

  /** What was reserved before the first event, counted back from the end; unknown if that fails. */
  private long heldBefore(List<PlainDict> events, List<PlainDict> own) {
    long held = 0;
    for (PlainDict segment : own) {
      held += number(segment, "total_size", 0);
    }
    for (PlainDict event : events) {
      held -= reservedChange(event);
    }
    if (held < 0) {
      facts.addNote("the snapshot's segments are fewer than its trace made: no recorded curve");
      return TraceReader.UNKNOWN;
    }
    return held;
  }

  private static long reservedChange(PlainDict event) {
    return switch (action(event)) {
      case "segment_alloc", "segment_map" -> number(event, "size", 0);
      case "segment_free", "segment_unmap" -> -number(event, "size", 0);
      default -> 0;
    };
  }

  private void replay(Recording recording, List<PlainDict> events, long heldBefore)
      throws IOException {
    boolean known = heldBefore != TraceReader.UNKNOWN;
    long held = heldBefore;
    long peak = heldBefore;
    if (!events.isEmpty() && !events.getFirst().has("time_us")) {
      facts.setNoClock("numbers of events");
    }
    long start = events.isEmpty() ? 0 : number(events.getFirst(), "time_us", 0);
    for (int i = 0; i < events.size(); i++) {
      PlainDict event = events.get(i);
      held += known ? reservedChange(event) : 0;
      peak = Math.max(peak, held);
      long time = event.has("time_us") ? number(event, "time_us", start) - start : i;
      if (isRow(recording, event, time, i + 1, peak)) {
        peak = held;
      }
    }
    recording.rows().holdAtEnd(peak);
  }

  /** Takes an event; whether it is a row. */
  private boolean isRow(Recording recording, PlainDict event, long timeMicros, int line, long held)
      throws IOException {
    String action = action(event);
    boolean refused = action.equals("oom");
    if (!refused && !action.equals("alloc") && !action.equals("free_completed")) {
      return false;
    }
    long byteSize = number(event, "size", -1);
    if (byteSize < 0 || !(refused || event.get("addr") instanceof Number)) {
      input.faults().add(line, "event " + line + ", " + action + ", has no addr or no size");
      return false;
    }
    long address = number(event, "addr", 0);
    long stream = number(event, "stream", 0);
    if (refused) {
      facts.addFailure(new TraceFacts.FailedRequest(line, byteSize, recording.stream(stream)));
    } else if (action.equals("alloc")) {
      recording.allocated(
          address, byteSize, stream, timeMicros, line, held, origin(recording, event));
    } else {
      recording.freed(address, byteSize, stream, timeMicros, line, held);
    }
    return !refused;
  }

  private static String action(PlainDict event) {
    return event.get("action") instanceof String action ? action : "";
  }

  private static long number(PlainDict dict, String key, long otherwise) {
    return switch (dict.get(key)) {
      case Long value -> value;
      // An address above 2^63: only that it is the same again matters.
      case BigInteger value -> value.longValue();
      case null, default -> otherwise;
    };
  }
}
