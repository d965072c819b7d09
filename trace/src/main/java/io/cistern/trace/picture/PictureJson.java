package io.cistern.trace.picture;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cistern.trace.picture.MemoryMap.Large;
import io.cistern.trace.picture.MemoryMap.Moment;
import io.cistern.trace.picture.MemoryMap.PageGroup;
import io.cistern.trace.picture.MemoryMap.PoolOfStream;
import io.cistern.trace.picture.MemoryMap.Run;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.report.ReportJson;
import java.io.IOException;
import java.util.Locale;
import java.util.function.IntToLongFunction;

/**
 * The data of the page, for its script alone: dense, and not for other programs.
 *
 * <p>Curves are differences from bucket to bucket. Runs and groups of pages are flat lists of
 * numbers, lengths in units of the device's alignment; {@code report.js} takes them apart.
 */
final class PictureJson {

  private static final int PERCENT = 100;

  private final JsonGenerator json;
  private final long unit;

  private PictureJson(JsonGenerator json, long unit) {
    this.json = json;
    this.unit = unit;
  }

  static String of(ReplayReport report, Curves curves, MemoryMap map) {
    return ReportJson.dense(
        json -> new PictureJson(json, report.subject().byteAlignment()).write(report, curves, map));
  }

  private void write(ReplayReport report, Curves curves, MemoryMap map) throws IOException {
    json.writeStartObject();
    json.writeFieldName("report");
    json.writeRawValue(ReportJson.of(report));
    writePeaks(report);
    writeCurves(curves);
    writeMap(map);
    writeLargest(map);
    json.writeEndObject();
  }

  /** What the report for programs does not tell of the pools. */
  private void writePeaks(ReplayReport report) throws IOException {
    json.writeArrayFieldStart("poolPeaks");
    for (ReplayReport.PoolFigures pool : report.figures().pools()) {
      json.writeStartObject();
      json.writeNumberField("reserved", pool.report().usage().reservedPeak().bytes());
      json.writeNumberField("inUse", pool.report().usage().inUsePeak().bytes());
      json.writeNumberField("driverAllocations", pool.report().driverAllocations());
      json.writeNumberField("driverFrees", pool.report().driverFrees());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeCurves(Curves curves) throws IOException {
    json.writeObjectFieldStart("curves");
    json.writeNumberField("rows", curves.rows());
    json.writeNumberField("rowsPerBucket", curves.rowsPerBucket());
    if (curves.hasTimes()) {
      writeDifferences("times", curves.buckets(), curves::timeMicros);
    }
    json.writeArrayFieldStart("series");
    for (Curves.Series series : Curves.Series.values()) {
      if (curves.has(series)) {
        json.writeStartObject();
        json.writeStringField("name", series.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        json.writeNumberField("peak", curves.peak(series));
        json.writeNumberField("peakRow", curves.peakRow(series));
        writeDifferences("high", curves.buckets(), bucket -> curves.highest(series, bucket));
        if (curves.rowsPerBucket() > 1) {
          writeDifferences("low", curves.buckets(), bucket -> curves.lowest(series, bucket));
        }
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeDifferences(String key, int count, IntToLongFunction values)
      throws IOException {
    json.writeArrayFieldStart(key);
    long before = 0;
    for (int i = 0; i < count; i++) {
      long value = values.applyAsLong(i);
      json.writeNumber(value - before);
      before = value;
    }
    json.writeEndArray();
  }

  private void writeMap(MemoryMap map) throws IOException {
    json.writeArrayFieldStart("mapPools");
    for (PoolOfStream pool : map.pools()) {
      json.writeStartObject();
      json.writeNumberField("stream", pool.stream());
      json.writeNumberField("index", pool.index());
      json.writeEndObject();
    }
    json.writeEndArray();
    boolean tagged = !map.tags().isEmpty();
    if (tagged) {
      json.writeArrayFieldStart("tags");
      for (String tag : map.tags()) {
        json.writeString(tag);
      }
      json.writeEndArray();
    }
    json.writeArrayFieldStart("moments");
    for (Moment moment : map.moments()) {
      writeMoment(moment, tagged);
    }
    json.writeEndArray();
  }

  private void writeMoment(Moment moment, boolean tagged) throws IOException {
    json.writeStartObject();
    json.writeNumberField("row", moment.row());
    json.writeNumberField("time", moment.timeMicros());
    json.writeNumberField("reserved", moment.reserved());
    json.writeNumberField("inUse", moment.inUse());
    json.writeNumberField("padding", moment.padding());
    json.writeNumberField("rest", moment.rest());
    json.writeNumberField("free", moment.free());
    json.writeNumberField("largestFree", moment.largestFree());
    json.writeNumberField("slices", moment.slices());
    json.writeNumberField("pages", moment.pages());
    json.writeArrayFieldStart("groups");
    for (PageGroup group : moment.pageGroups()) {
      json.writeNumber(group.number());
      json.writeNumber(group.pages());
      json.writeNumber(group.pool());
      json.writeNumber(group.byteSize());
      json.writeNumber(group.inUse());
      json.writeNumber(group.free());
      json.writeNumber(group.largestFree());
      json.writeNumber(group.slices());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("runs");
    for (Run run : moment.runs()) {
      // A negative length: two more numbers follow.
      json.writeNumber((run.exact() ? 1 : -1) * (run.byteSize() / unit));
      json.writeNumber(run.sizeClass());
      if (tagged) {
        json.writeNumber(run.tag());
      }
      if (!run.exact()) {
        json.writeNumber(run.slices());
        json.writeNumber(run.takenByteSize() * PERCENT / run.byteSize());
      }
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeLargest(MemoryMap map) throws IOException {
    json.writeArrayFieldStart("largest");
    for (Large large : map.largest()) {
      json.writeStartObject();
      json.writeNumberField("size", large.byteSize());
      json.writeNumberField("id", large.id());
      json.writeNumberField("line", large.line());
      json.writeNumberField("pool", large.pool());
      json.writeNumberField("firstRow", large.firstRow());
      json.writeNumberField("firstTime", large.firstMicros());
      json.writeNumberField("lastRow", large.lastRow());
      json.writeNumberField("lastTime", large.lastMicros());
      if (large.origin() != null) {
        json.writeStringField("tag", large.origin().tag());
        json.writeStringField("stack", large.origin().stack());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
