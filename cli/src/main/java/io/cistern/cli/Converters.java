package io.cistern.cli;

import io.cistern.MemorySize;
import io.cistern.MemorySizeFormatException;
import io.cistern.trace.TraceFormat;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of options. */
final class Converters {

  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?) ?(ms|s|m|h)");

  private Converters() {}

  static MemorySize memorySize(String text) {
    try {
      return MemorySize.parse(text);
    } catch (MemorySizeFormatException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  static TraceFormat traceFormat(String text) {
    return TraceFormat.named(text)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "\"" + text + "\" is no format; there are " + TraceFormat.names()));
  }

  static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "\"" + text + "\" is no time: it is a number and ms, s, m or h, such as 500ms or 3s");
    }
    long unitMillis =
        switch (matcher.group(2)) {
          case "ms" -> 1;
          case "s" -> 1_000;
          case "m" -> 60_000;
          default -> 3_600_000;
        };
    BigDecimal millis = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitMillis));
    return Duration.ofNanos(millis.movePointRight(6).longValue());
  }
}
