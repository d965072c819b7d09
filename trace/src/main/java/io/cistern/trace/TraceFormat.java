package io.cistern.trace;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The formats of traces. What a file is shows in its content; its name does not matter. */
public enum TraceFormat {
  CSV("csv", "the common CSV", input -> new CsvTraceReader(input.in(), input.faults())),
  PYTORCH_SNAPSHOT("pytorch-snapshot", "a PyTorch memory snapshot", PyTorchSnapshot::read);

  /** Opens a reader. */
  private interface Opening {
    TraceReader open(TraceInput input) throws IOException;
  }

  private final String text;
  private final String title;
  private final Opening opening;

  TraceFormat(String text, String title, Opening opening) {
    this.text = text;
    this.title = title;
    this.opening = opening;
  }

  /** The name that options and programs use. */
  public String text() {
    return text;
  }

  /** The name for people. */
  public String title() {
    return title;
  }

  TraceReader open(TraceInput input) throws IOException {
    return opening.open(input);
  }

  /** The format with a name. */
  public static Optional<TraceFormat> named(String name) {
    return Arrays.stream(values()).filter(format -> format.text.equals(name)).findFirst();
  }

  /** All names, in a list for people. */
  public static String names() {
    return Arrays.stream(values()).map(TraceFormat::text).collect(Collectors.joining(", "));
  }
}
