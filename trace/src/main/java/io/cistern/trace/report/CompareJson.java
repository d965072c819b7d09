package io.cistern.trace.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Comparisons as JSON, in the manner of {@link ReportJson}. */
public final class CompareJson {

  private CompareJson() {}

  /** The report of a comparison. */
  public static String of(CompareReport report) {
    return ReportJson.document(json -> write(json, report));
  }

  private static void write(JsonGenerator json, CompareReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("device", report.device());
    json.writeNumberField("alignment", report.byteAlignment());
    json.writeBooleanField("interrupted", report.interrupted());
    json.writeNumberField("asked", report.asked());
    json.writeArrayFieldStart("rows");
    for (CompareReport.Row row : report.rows()) {
      write(json, row);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, CompareReport.Row row) throws IOException {
    ReplayReport.Figures figures = row.report().figures();
    json.writeStartObject();
    json.writeStringField("trace", row.report().subject().trace());
    json.writeStringField("layout", row.report().subject().layout());
    json.writeNumberField("lowerBound", row.lowerBound());
    ReportJson.writeRatio(json, "ratio", row.ratio());
    ReportJson.writeRows(json, figures);
    ReportJson.writeCosts(json, figures);
    json.writeNumberField("driverCalls", row.driverCalls());
    ReportJson.writeRatio(json, "nanosPerOperation", row.report().nanosPerOperation());
    ReportJson.writeRefusal(json, figures.firstRefusal());
    json.writeEndObject();
  }
}
