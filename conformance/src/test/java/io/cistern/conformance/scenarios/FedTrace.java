package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.conformance.Json;
import io.cistern.conformance.LayoutJson;
import io.cistern.conformance.Refusal;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFacts.Count;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.TraceInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Feeds a trace to a layout, on a simulated device, and tells what was read in the scenarios'
 * words. First strictly; where that ends at a bad row, then leniently.
 */
final class FedTrace {

  private static final long CAPACITY = 1L << 40;

  private static final Pattern POINTER = Pattern.compile("(.*), (0x[0-9a-f]+)");
  private static final Pattern SIZES =
      Pattern.compile(
          "(size differs from the allocation): freed with (\\d+), allocated with (\\d+)");

  private final Path file;
  private final ReadOptions options;
  private final JsonNode layout;

  private FedTrace(Path file, ReadOptions options, JsonNode layout) {
    this.file = file;
    this.options = options;
    this.layout = layout;
  }

  static Result feed(JsonNode op, JsonNode layout) {
    TraceFormat format =
        TraceFormat.named(op.get("format").asText())
            .orElseThrow(() -> new AssertionError("unknown format: " + op.get("format")));
    try {
      Path file = Files.createTempFile("scenario", ".trace");
      try {
        Files.write(file, content(op));
        return new FedTrace(file, ReadOptions.DEFAULT.withFormat(format), layout).feed();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] content(JsonNode op) {
    if (op.has("base64")) {
      return Base64.getDecoder().decode(op.get("base64").asText());
    } else if (op.has("snapshot")) {
      return PickledJson.of(op.get("snapshot"));
    }
    String text = op.has("json") ? op.get("json").toString() : op.get("text").asText();
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Result feed() throws IOException {
    try {
      return Result.ok(facts(false).put("exit_status_not_zero_in_strict_mode", false), "");
    } catch (TraceException strict) {
      Refusal refusal = Refusal.ofTrace(strict);
      try {
        ObjectNode facts = facts(true).put("exit_status_not_zero_in_strict_mode", true);
        return new Result(facts.put("ok", true), refusal, "");
      } catch (TraceException lenient) {
        return new Result(Json.object(), refusal, "");
      }
    }
  }

  private ObjectNode facts(boolean lenient) throws IOException {
    TraceInfo info = Traces.info(file, options, lenient);
    TraceFacts facts = info.facts();
    ReplayReport.Figures replayed = replay(options, lenient);
    same("peak of live bytes", info.peakLive(), replayed.peakInUse());
    same("allocations", info.allocations(), replayed.allocations());
    same("frees", info.frees(), replayed.frees());
    same("live at the end", info.end().byteSize(), replayed.end().inUse());
    ObjectNode words = Json.object();
    words
        .put("events", facts.count(Count.EVENTS))
        .put("allocations", info.allocations())
        .put("frees", info.frees())
        .put("refused", replayed.refused())
        .put("failed_requests", facts.count(Count.FAILED_REQUESTS))
        .put("zero_size_allocations", info.emptyAllocations())
        .put("cross_thread_frees", facts.count(Count.CROSS_THREAD_FREES))
        .put("unmatched_frees", facts.count(Count.UNMATCHED_FREES))
        .put("segments", facts.count(Count.SEGMENTS))
        .put("peak_live_bytes", info.peakLive())
        .put("peak_live_at_row", info.peakLine())
        .put("final_live", info.end().allocations())
        .put("final_live_bytes", info.end().byteSize())
        .put("largest_request_served", largestServed(replayed));
    facts
        .firstFailure()
        .ifPresent(
            first ->
                words
                    .putObject("failed_request")
                    .put("row", first.line())
                    .put("size", first.byteSize())
                    .put("stream", first.stream()));
    ArrayNode threads = words.putArray("threads");
    facts.threads().forEach(threads::add);
    ArrayNode streams = words.putArray("streams");
    info.streams().forEach((stream, allocations) -> streams.add((int) stream));
    ArrayNode problems = words.putArray("problems");
    info.problems().forEach(problem -> problems.add(problem(problem)));
    devices(words, facts.devices(), lenient);
    return words;
  }

  private static void same(String what, long read, long replayed) {
    if (read != replayed) {
      throw new AssertionError(what + ": read " + read + ", replayed " + replayed);
    }
  }

  private ReplayReport.Figures replay(ReadOptions reading, boolean lenient) throws IOException {
    StorageOptions device =
        StorageOptions.DEFAULT
            .withByteAlignment(Json.number(layout.get("backend").get("alignment")))
            .withCapacity(
                MemorySize.of(layout.get("backend").path("device_capacity").asLong(CAPACITY)));
    return Replay.of(file)
        .reading(reading)
        .lenient(lenient)
        .devices(() -> SimulatedStorage.open(device))
        .pools(LayoutJson.config(layout.get("pools")))
        .build()
        .run()
        .figures();
  }

  private static long largestServed(ReplayReport.Figures figures) {
    return figures.pools().stream()
        .mapToLong(pool -> pool.report().largestAlloc().bytes())
        .max()
        .orElse(0);
  }

  private static ObjectNode problem(TraceException problem) {
    ObjectNode words = Json.object().put("row", problem.line());
    Matcher pointer = POINTER.matcher(problem.reason());
    Matcher sizes = SIZES.matcher(problem.reason());
    if (pointer.matches()) {
      return words.put("kind", pointer.group(1)).put("pointer", pointer.group(2));
    } else if (sizes.matches()) {
      return words
          .put("kind", sizes.group(1))
          .put("logged", Long.parseLong(sizes.group(2)))
          .put("allocated", Long.parseLong(sizes.group(3)));
    }
    return words.put("kind", problem.reason());
  }

  /** Each device by itself. */
  private void devices(ObjectNode words, List<TraceFacts.Device> devices, boolean lenient)
      throws IOException {
    long outOfOrder = 0;
    ArrayNode all = words.putArray("devices");
    for (TraceFacts.Device device : devices) {
      ReadOptions own = options.withDevice(device.name());
      TraceInfo info = Traces.info(file, own, lenient);
      TraceFacts facts = info.facts();
      same("peak of device " + device, info.peakLive(), replay(own, lenient).peakInUse());
      outOfOrder += facts.count(Count.OUT_OF_ORDER);
      ObjectNode one = all.addObject();
      String[] name = device.name().split(":", -1);
      if (name.length == 2) {
        one.put("type", Integer.parseInt(name[0]));
      }
      one.put("id", Integer.parseInt(name[name.length - 1]))
          .put("allocations", info.allocations() - facts.count(Count.BEFORE_ALLOCATIONS))
          .put("frees", info.frees())
          .put("pre_existing_bytes", facts.count(Count.BEFORE_BYTES))
          .put("peak_live_bytes", info.peakLive())
          .put("final_live_bytes", info.end().byteSize())
          .put("agrees_with_total_allocated", facts.count(Count.DISAGREEMENTS) == 0);
      live(one.putArray("live_bytes_in_time_order"), own);
    }
    words.put("memory_events", devices.stream().mapToLong(TraceFacts.Device::events).sum());
    words.put("out_of_order_rows", outOfOrder);
  }

  /** What was live after each event of the recording; blocks from before are none. */
  private void live(ArrayNode values, ReadOptions own) throws IOException {
    long live = 0;
    try (TraceReader reader = Traces.open(file, own, TraceFaults.lenient(file.toString()))) {
      while (reader.next()) {
        live += reader.isAllocation() ? reader.byteSize() : -reader.byteSize();
        if (reader.line() > 0) {
          values.add(live);
        }
      }
    }
  }
}
