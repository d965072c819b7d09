package io.cistern.stress.fuzz;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.file.Traces;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Each trace reader: it ends with rows, or with one error of its own. */
public final class TraceTarget {

  private static final String NAME = "fuzzed";
  private static final TraceFormat[] FORMATS = TraceFormat.values();

  private TraceTarget() {}

  /** What Jazzer calls with each input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    read(input, ReadOptions.DEFAULT, false);
    read(input, ReadOptions.DEFAULT.withOrigins(), true);
    read(input, ReadOptions.DEFAULT.withFormat(FORMATS[input.length % FORMATS.length]), true);
  }

  private static void read(byte[] input, ReadOptions options, boolean lenient) throws IOException {
    try {
      Traces.info(NAME, new ByteArrayInputStream(input), options, lenient);
    } catch (TraceException e) {
      Refusals.check(e, NAME + ":");
    }
  }
}
