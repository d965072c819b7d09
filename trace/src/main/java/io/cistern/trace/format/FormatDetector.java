package io.cistern.trace.format;

import io.cistern.trace.TraceFormat;
import io.cistern.trace.input.JfrChunks;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Tells formats by how a file begins. */
public final class FormatDetector {

  private static final byte PICKLE_PROTO = (byte) 0x80;

  private FormatDetector() {}

  /** The format; the common CSV if it looks like none, whose reader then says what is missing. */
  public static TraceFormat of(byte[] head) {
    if (head.length > 0 && head[0] == PICKLE_PROTO) {
      return TraceFormat.PYTORCH_SNAPSHOT;
    }
    if (JfrChunks.matches(head)) {
      return TraceFormat.JFR;
    }
    String text = text(head);
    if (text.startsWith("[")) {
      return text.matches("(?s)\\[\\s*\\[.*")
          ? TraceFormat.MEMORY_TIMELINE
          : TraceFormat.CHROME_TRACE;
    }
    if (text.startsWith("{")) {
      return isVmaDump(text) ? TraceFormat.VMA_DUMP : TraceFormat.CHROME_TRACE;
    }
    String line = text.lines().findFirst().orElse("");
    if (RmmLogReader.matches(line)) {
      return TraceFormat.RMM;
    } else if (StaticLifetimes.matches(line)) {
      return TraceFormat.STATIC;
    } else if (VmaRecordingReader.matches(line)) {
      return TraceFormat.VMA_RECORDING;
    } else if (MemoryReplayReader.matches(line)) {
      return TraceFormat.MEMORY_REPLAY;
    }
    return MallocLabReader.matches(text) ? TraceFormat.MALLOC_LAB : TraceFormat.CSV;
  }

  /** What a file is that Cistern knows and does not read; null if it is none of these. */
  public static @Nullable String known(byte[] head) {
    String text = text(head);
    if (text.startsWith("{") && text.contains("\"INSTRUCTION\"")) {
      return "this is a log of operators by DTR, not a format that Cistern reads";
    }
    if (text.startsWith("{")
        && (text.contains("\"GPGMM\"") || text.contains("\"GPUMemoryPool\""))) {
      return "these are object events by GPGMM, not a format that Cistern reads";
    }
    return null;
  }

  private static boolean isVmaDump(String text) {
    return text.contains("\"Total\"")
        && (text.contains("\"BlockCount\"") || text.contains("\"UnusedRanges\""));
  }

  private static String text(byte[] head) {
    return new String(head, StandardCharsets.UTF_8).replaceFirst("^\ufeff", "").stripLeading();
  }
}
