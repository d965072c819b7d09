package io.cistern.trace.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/**
 * Plans as JSON, in the manner of {@link ReportJson}. The rows, costs and pools are those of the
 * replay; {@code pools} has each stream's own caps, {@code plannedPools} those of the one layout
 * for all streams.
 */
public final class PlanJson {

  private PlanJson() {}

  /** The report of a plan. */
  public static String of(PlanReport report) {
    return ReportJson.document(json -> write(json, report));
  }

  private static void write(JsonGenerator json, PlanReport report) throws IOException {
    ReplayReport.Figures replayed = report.replayed();
    json.writeStartObject();
    ReportJson.writeSubject(json, report.subject());
    json.writeBooleanField("fits", report.fits());
    json.writeBooleanField("placedAlike", report.placedAlike());
    json.writeNumberField("peakPages", report.peakPagesByteSize());
    json.writeNumberField("capped", report.cappedByteSize());
    ReportJson.writeRows(json, replayed);
    ReportJson.writeCosts(json, replayed);
    ReportJson.writeRefusal(json, replayed.firstRefusal());
    json.writeObjectFieldStart("measured");
    json.writeNumberField("refused", report.measured().refused());
    json.writeNumberField("peakInUse", report.measured().peakInUse());
    json.writeNumberField("peakReserved", report.measured().peakReserved());
    json.writeNumberField("deviceAllocations", report.measured().deviceAllocations());
    json.writeEndObject();
    ReportJson.writeLayout(json, "plannedPools", report.layout());
    ReportJson.writePools(json, replayed);
    json.writeEndObject();
  }
}
