package io.cistern.trace.report;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import java.io.IOException;
import java.util.Map;

/** What a trace holds as JSON, in the manner of {@link ReportJson}. */
public final class TraceInfoJson {

  private TraceInfoJson() {}

  /** A trace. */
  public static String of(TraceInfo info) {
    return ReportJson.document(json -> write(json, info));
  }

  /** A dump of one moment. */
  public static String of(String trace, VmaDump dump) {
    return ReportJson.document(
        json -> {
          json.writeStartObject();
          json.writeStringField("trace", trace);
          json.writeStringField("format", TraceFormat.VMA_DUMP.text());
          json.writeObjectFieldStart("total");
          writeFigures(json, dump.total());
          json.writeEndObject();
          json.writeObjectFieldStart("heaps");
          for (Map.Entry<String, VmaDump.Figures> heap : dump.heaps().entrySet()) {
            json.writeObjectFieldStart(heap.getKey());
            writeFigures(json, heap.getValue());
            json.writeEndObject();
          }
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  private static void writeFigures(JsonGenerator json, VmaDump.Figures figures) throws IOException {
    json.writeNumberField("blocks", figures.blocks());
    json.writeNumberField("blockBytes", figures.blockBytes());
    json.writeNumberField("allocations", figures.allocations());
    json.writeNumberField("allocationBytes", figures.allocationBytes());
    json.writeNumberField("unusedRanges", figures.unusedRanges());
    json.writeNumberField("largestUnused", figures.largestUnused());
  }

  private static void write(JsonGenerator json, TraceInfo info) throws IOException {
    json.writeStartObject();
    json.writeStringField("trace", info.trace());
    json.writeStringField("format", info.format().text());
    json.writeNumberField("operations", info.operations());
    json.writeNumberField("allocations", info.allocations());
    json.writeNumberField("frees", info.frees());
    json.writeNumberField("emptyAllocations", info.emptyAllocations());
    json.writeNumberField("peakLive", info.peakLive());
    json.writeNumberField("peakLine", info.peakLine());
    json.writeNumberField("peakCount", info.peakCount());
    ReportJson.writeKnown(json, "recordedPeak", info.recordedPeak());
    json.writeObjectFieldStart("end");
    json.writeNumberField("allocations", info.end().allocations());
    json.writeNumberField("live", info.end().byteSize());
    json.writeEndObject();
    json.writeNumberField("durationMicros", info.durationMicros());
    json.writeNumberField("distinctSizes", info.distinctSizes());
    writeSpread(json, "sizes", info.sizes());
    writeSpread(json, "lifetimeRows", info.lifetimeRows());
    writeSpread(json, "lifetimeMicros", info.lifetimeMicros());
    json.writeObjectFieldStart("streams");
    for (Map.Entry<Integer, Long> stream : info.streams().entrySet()) {
      json.writeNumberField(stream.getKey().toString(), stream.getValue());
    }
    json.writeEndObject();
    writeFacts(json, info.facts());
    json.writeNumberField("skipped", info.skipped());
    json.writeNumberField("odd", info.odd());
    json.writeArrayFieldStart("problems");
    for (TraceException problem : info.problems()) {
      json.writeStartObject();
      json.writeNumberField("line", problem.line());
      json.writeStringField("reason", problem.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeSpread(JsonGenerator json, String key, TraceInfo.Spread spread)
      throws IOException {
    json.writeObjectFieldStart(key);
    json.writeNumberField("count", spread.count());
    json.writeNumberField("sum", spread.sum());
    json.writeNumberField("least", spread.least());
    json.writeNumberField("median", spread.median());
    json.writeNumberField("most90", spread.most90());
    json.writeNumberField("most", spread.most());
    json.writeEndObject();
  }

  private static void writeFacts(JsonGenerator json, TraceFacts facts) throws IOException {
    json.writeObjectFieldStart("recording");
    for (TraceFacts.Count count : TraceFacts.Count.values()) {
      json.writeNumberField(count.key(), facts.count(count));
    }
    if (facts.firstFailure().isPresent()) {
      TraceFacts.FailedRequest failure = facts.firstFailure().get();
      json.writeObjectFieldStart("firstFailure");
      json.writeNumberField("line", failure.line());
      json.writeNumberField("size", failure.byteSize());
      json.writeNumberField("stream", failure.stream());
      json.writeEndObject();
    }
    json.writeArrayFieldStart("threads");
    for (long thread : facts.threads()) {
      json.writeNumber(thread);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("devices");
    for (TraceFacts.Device device : facts.devices()) {
      json.writeStartObject();
      json.writeStringField("name", device.name());
      json.writeNumberField("events", device.events());
      json.writeBooleanField("read", facts.device().filter(device::equals).isPresent());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("notes");
    for (String note : facts.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
