package io.cistern.trace.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.cistern.layout.PoolLayout;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport.PoolReport;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Reports as JSON: always the same keys in the same order, sizes in bytes, all numbers exact
 * integers but the two ratios.
 */
public final class ReportJson {

  private static final JsonFactory FACTORY = new JsonFactory();

  private ReportJson() {}

  /** Writes part of a document. */
  @FunctionalInterface
  public interface Part {

    /** Writes. */
    void write(JsonGenerator json) throws IOException;
  }

  /** A document that one part writes, indented, its lines ended by LF. */
  public static String document(Part part) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
    return dense(
            json -> {
              json.setPrettyPrinter(printer);
              part.write(json);
            })
        + '\n';
  }

  /** What one part writes, without a blank or a line's end. */
  public static String dense(Part part) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      part.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** The report of a replay. */
  public static String of(ReplayReport report) {
    return document(json -> write(json, report));
  }

  private static void write(JsonGenerator json, ReplayReport report) throws IOException {
    ReplayReport.Figures figures = report.figures();
    json.writeStartObject();
    writeSubject(json, report.subject());
    json.writeBooleanField("touched", report.subject().touched());
    json.writeBooleanField("interrupted", report.interrupted());
    writeRows(json, figures);
    writeCosts(json, figures);
    writeRatio(json, "nanosPerOperation", report.nanosPerOperation());
    json.writeNumberField("mismatches", figures.mismatches());
    writeRefusal(json, figures.firstRefusal());
    writeMismatch(json, figures);
    writePools(json, figures);
    json.writeEndObject();
  }

  static void writeSubject(JsonGenerator json, ReplayReport.Subject subject) throws IOException {
    json.writeStringField("trace", subject.trace());
    json.writeStringField("device", subject.device());
    json.writeStringField("layout", subject.layout());
    json.writeNumberField("alignment", subject.byteAlignment());
    json.writeNumberField("maxPageSize", subject.maxPageByteSize());
  }

  static void writeRows(JsonGenerator json, ReplayReport.Figures figures) throws IOException {
    json.writeNumberField("streams", figures.streams());
    json.writeNumberField("operations", figures.operations());
    json.writeNumberField("allocations", figures.allocations());
    json.writeNumberField("frees", figures.frees());
    json.writeNumberField("refused", figures.refused());
    json.writeNumberField("skipped", figures.skipped());
  }

  static void writeCosts(JsonGenerator json, ReplayReport.Figures figures) throws IOException {
    json.writeNumberField("peakInUse", figures.peakInUse());
    json.writeNumberField("peakReserved", figures.peakReserved());
    json.writeNumberField("peakPadding", figures.peakPadding());
    writeKnown(json, "recordedPeak", recorded(figures, ReplayReport.Recorded::peakReserved));
    writeKnown(json, "recordedUnseen", recorded(figures, ReplayReport.Recorded::unseen));
    writeRatio(json, "overhead", figures.overhead());
    json.writeObjectFieldStart("end");
    json.writeNumberField("allocations", figures.end().allocations());
    json.writeNumberField("inUse", figures.end().inUse());
    json.writeNumberField("reserved", figures.end().reserved());
    json.writeEndObject();
    json.writeNumberField("deviceAllocations", figures.deviceAllocations());
    json.writeNumberField("deviceFrees", figures.deviceFrees());
    json.writeNumberField("spills", figures.spills());
  }

  static OptionalLong recorded(
      ReplayReport.Figures figures, ToLongFunction<ReplayReport.Recorded> figure) {
    return figures.recorded().stream().mapToLong(figure).findFirst();
  }

  /** A number, or null where there is none. */
  static void writeKnown(JsonGenerator json, String key, OptionalLong value) throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(key, value.getAsLong());
    } else {
      json.writeNullField(key);
    }
  }

  static void writeRatio(JsonGenerator json, String key, OptionalDouble value) throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(key, value.getAsDouble());
    } else {
      json.writeNullField(key);
    }
  }

  static void writeRefusal(JsonGenerator json, Optional<ReplayReport.Refusal> first)
      throws IOException {
    if (first.isPresent()) {
      ReplayReport.Refusal refusal = first.get();
      json.writeObjectFieldStart("firstRefusal");
      json.writeNumberField("line", refusal.line());
      json.writeNumberField("id", refusal.id());
      json.writeNumberField("size", refusal.byteSize());
      json.writeStringField("reason", refusal.reason());
      json.writeEndObject();
    }
  }

  private static void writeMismatch(JsonGenerator json, ReplayReport.Figures figures)
      throws IOException {
    if (figures.firstMismatch().isPresent()) {
      ReplayReport.Mismatch mismatch = figures.firstMismatch().get();
      json.writeObjectFieldStart("firstMismatch");
      json.writeNumberField("line", mismatch.line());
      json.writeNumberField("id", mismatch.id());
      json.writeNumberField("size", mismatch.byteSize());
      json.writeNumberField("offset", mismatch.byteOffset());
      json.writeEndObject();
    }
  }

  static void writePools(JsonGenerator json, ReplayReport.Figures figures) throws IOException {
    json.writeArrayFieldStart("pools");
    for (ReplayReport.PoolFigures pool : figures.pools()) {
      writePool(json, pool.stream(), pool.report());
    }
    json.writeEndArray();
  }

  private static void writePool(JsonGenerator json, int stream, PoolReport pool)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("stream", stream);
    writeConfig(json, pool.index(), pool.config());
    json.writeNumberField("pages", pool.pages());
    json.writeNumberField("pagesPeak", pool.pagesPeak());
    json.writeNumberField("largestAlloc", pool.largestAlloc().bytes());
    json.writeNumberField("served", pool.served());
    json.writeNumberField("spills", pool.spills());
    json.writeNumberField("inUse", pool.usage().inUse().bytes());
    json.writeNumberField("reserved", pool.usage().reserved().bytes());
    json.writeEndObject();
  }

  /** Writes the pools of a layout as a field. */
  public static void writeLayout(JsonGenerator json, String key, PoolLayout layout)
      throws IOException {
    json.writeArrayFieldStart(key);
    for (int i = 0; i < layout.pools().size(); i++) {
      json.writeStartObject();
      writeConfig(json, i, layout.pools().get(i));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /**
   * Writes {@code index}, {@code type} and {@code config} of a pool into the present object. The
   * configuration has the field names of layout files; what a pool does not have is left out.
   */
  static void writeConfig(JsonGenerator json, int index, ResolvedPool pool) throws IOException {
    json.writeNumberField("index", index);
    json.writeStringField("type", type(pool));
    json.writeObjectFieldStart("config");
    switch (pool) {
      case ResolvedPool.Exclusive exclusive -> {
        json.writeNumberField("max_alloc_size", exclusive.maxAllocByteSize());
        writeOptional(json, "dealloc_period", exclusive.deallocPeriod());
      }
      case ResolvedPool.Direct direct ->
          writeOptional(json, "reclaim_at", direct.reclaimAtByteSize());
      case ResolvedPool.Sliced sliced -> {
        json.writeNumberField("page_size", sliced.pageByteSize());
        json.writeNumberField("max_slice_size", sliced.maxSliceByteSize());
        writeOptional(json, "max_pool_size", sliced.maxPoolByteSize());
        writeOptional(json, "dealloc_period", sliced.deallocPeriod());
      }
    }
    json.writeEndObject();
  }

  /** The kind of a pool as layout files name it. */
  public static String type(ResolvedPool pool) {
    return switch (pool) {
      case ResolvedPool.Exclusive exclusive -> "exclusive";
      case ResolvedPool.Direct direct -> "direct";
      case ResolvedPool.Sliced sliced -> "sliced";
    };
  }

  private static void writeOptional(JsonGenerator json, String key, OptionalLong value)
      throws IOException {
    if (value.isPresent()) {
      json.writeNumberField(key, value.getAsLong());
    }
  }
}
