package io.cistern.trace.format;

import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import java.io.IOException;

/** The reader of each format. */
public final class Formats {

  private Formats() {}

  /**
   * Opens a reader.
   *
   * @param format the format that the input is taken to have
   * @throws io.cistern.trace.TraceException if the input is no trace of the format, or has not the
   *     device that was asked for
   * @throws IOException if the input can't be read
   */
  public static TraceReader open(TraceFormat format, TraceInput input) throws IOException {
    if (input.device().isPresent() && !format.hasDevices()) {
      throw input.faults().error(1, format.title() + " has no devices to choose from");
    }
    return switch (format) {
      case CSV -> new CsvTraceReader(input);
      case PYTORCH_SNAPSHOT -> PyTorchSnapshot.read(input);
      case CHROME_TRACE -> ChromeTrace.read(input);
      case MEMORY_TIMELINE -> MemoryTimeline.read(input);
      case JFR -> JfrTrace.read(input);
      case RMM -> new RmmLogReader(input);
      case STATIC -> StaticLifetimes.read(input);
      case MALLOC_LAB -> new MallocLabReader(input);
      case MEMORY_REPLAY -> new MemoryReplayReader(input);
      case VMA_RECORDING -> new VmaRecordingReader(input);
      case VMA_DUMP ->
          throw input
              .faults()
              .error(
                  1,
                  "a VMA dump is a picture of one moment, without calls to replay; \"cistern trace"
                      + " info\" shows it");
    };
  }
}
