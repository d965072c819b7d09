package io.cistern.trace.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Searches as JSON, in the manner of {@link ReportJson}. */
public final class SearchJson {

  private SearchJson() {}

  /** The report of a search. */
  public static String of(SearchReport report) {
    return ReportJson.document(json -> write(json, report));
  }

  private static void write(JsonGenerator json, SearchReport report) throws IOException {
    json.writeStartObject();
    json.writeNumberField("seed", report.seed());
    json.writeNumberField("evaluations", report.evaluations());
    json.writeStringField("end", report.end().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("alignment", report.byteAlignment());
    json.writeNumberField("maxCalls", report.mostCalls());
    json.writeFieldName("best");
    write(json, report.best());
    json.writeFieldName("validation");
    if (report.validation().isPresent()) {
      write(json, report.validation().get());
    } else {
      json.writeNull();
    }
    writeList(json, "front", report.front());
    writeList(json, "presets", report.presets());
    json.writeEndObject();
  }

  private static void writeList(JsonGenerator json, String key, List<SearchReport.Scored> layouts)
      throws IOException {
    json.writeArrayFieldStart(key);
    for (SearchReport.Scored layout : layouts) {
      write(json, layout);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, SearchReport.Scored layout) throws IOException {
    json.writeStartObject();
    json.writeStringField("layout", layout.name());
    json.writeNumberField("ratio", layout.ratio());
    json.writeNumberField("driverCalls", layout.calls());
    ReportJson.writeRatio(json, "nanosPerOperation", layout.nanosPerOperation());
    json.writeArrayFieldStart("traces");
    for (SearchReport.OnTrace trace : layout.traces()) {
      json.writeStartObject();
      json.writeStringField("trace", trace.trace());
      json.writeNumberField("operations", trace.operations());
      json.writeNumberField("refused", trace.refused());
      json.writeNumberField("lowerBound", trace.lowerBound());
      json.writeNumberField("peakReserved", trace.peakReserved());
      json.writeNumberField("ratio", trace.ratio());
      json.writeNumberField("driverCalls", trace.driverCalls());
      ReportJson.writeKnown(json, "recordedPeak", trace.recordedPeak());
      json.writeEndObject();
    }
    json.writeEndArray();
    ReportJson.writeLayout(json, "pools", layout.layout());
    json.writeEndObject();
  }
}
