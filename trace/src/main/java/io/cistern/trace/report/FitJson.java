package io.cistern.trace.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Whether a trace fits, as JSON in the manner of {@link ReportJson}. */
public final class FitJson {

  private FitJson() {}

  /** The report. */
  public static String of(FitReport report) {
    return ReportJson.document(json -> write(json, report));
  }

  private static void write(JsonGenerator json, FitReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("trace", report.trace());
    json.writeNumberField("memory", report.memory());
    json.writeNumberField("alignment", report.byteAlignment());
    json.writeNumberField("lowerBound", report.lowerBound());
    ReportJson.writeKnown(json, "recordedPeak", report.recordedPeak());
    json.writeBooleanField("fits", report.best().isPresent());
    json.writeBooleanField("interrupted", report.interrupted());
    json.writeArrayFieldStart("layouts");
    for (FitReport.Row row : report.rows()) {
      write(json, row);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, FitReport.Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("layout", row.name());
    json.writeBooleanField("fits", row.fits());
    json.writeNumberField("peakReserved", row.peakReserved());
    json.writeNumberField("driverCalls", row.driverCalls());
    json.writeNumberField("refused", row.refused());
    ReportJson.writeRefusal(json, row.firstRefusal());
    ReportJson.writeKnown(json, "smallestMemory", row.smallest());
    ReportJson.writeLayout(json, "pools", row.layout());
    json.writeEndObject();
  }
}
