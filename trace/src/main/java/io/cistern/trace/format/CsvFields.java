package io.cistern.trace.format;

import io.cistern.trace.input.LineReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of one line after the other, read from the line's bytes without making objects. */
final class CsvFields {

  static final byte[] ALLOC = "alloc".getBytes(StandardCharsets.US_ASCII);
  static final byte[] FREE = "free".getBytes(StandardCharsets.US_ASCII);

  /** So many digits can't leave the range of a long. */
  private static final int SAFE_DIGITS = 18;

  private static final int TEXT_SHOWN = 40;
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");

  private final LineReader lines;

  // The field is from start to below end; the rest of the line begins at next, beyond its end if
  // there is none.
  private int start;
  private int end;
  private int next;
  private @Nullable String fault;

  CsvFields(LineReader lines) {
    this.lines = lines;
  }

  /** Goes before the first field of the present line. */
  void begin() {
    next = lines.start();
    fault = null;
  }

  /** Goes to the next field; false if the line has no more. */
  boolean next() {
    int lineEnd = lines.end();
    if (next > lineEnd) {
      return false;
    }
    byte[] bytes = lines.bytes();
    start = next;
    boolean quoted = start < lineEnd && bytes[start] == '"';
    int i = quoted ? closingQuote(bytes, lineEnd) : start;
    while (i < lineEnd && bytes[i] != ',') {
      i++;
    }
    end = i;
    next = i + 1;
    trim(bytes);
    return true;
  }

  private int closingQuote(byte[] bytes, int lineEnd) {
    int i = start + 1;
    while (i < lineEnd && bytes[i] != '"') {
      i++;
    }
    return i;
  }

  private void trim(byte[] bytes) {
    while (start < end && isBlank(bytes[start])) {
      start++;
    }
    while (start < end && isBlank(bytes[end - 1])) {
      end--;
    }
    if (end - start >= 2 && bytes[start] == '"' && bytes[end - 1] == '"') {
      start++;
      end--;
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  boolean isEmpty() {
    return start == end;
  }

  boolean is(byte[] word) {
    return Arrays.equals(lines.bytes(), start, end, word, 0, word.length);
  }

  /** The field's text, cut if it is long. */
  String text() {
    int length = Math.min(end - start, TEXT_SHOWN);
    String text = new String(lines.bytes(), start, length, StandardCharsets.UTF_8);
    return length < end - start ? text + "…" : text;
  }

  /** Why the line is bad; null as long as it is not. */
  @Nullable String fault() {
    return fault;
  }

  /** Says why the line is bad; returns false. */
  boolean fail(String why) {
    fault = why;
    return false;
  }

  /** The field as an integer from {@code least} to {@code most}; 0 and a fault if it is none. */
  long number(String column, long least, long most) {
    byte[] bytes = lines.bytes();
    if (end - start > SAFE_DIGITS || start == end) {
      return unusualNumber(column, least, most);
    }
    long value = 0;
    for (int i = start; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return unusualNumber(column, least, most);
      }
      value = value * 10 + digit;
    }
    return value <= most ? value : unusualNumber(column, least, most);
  }

  private long unusualNumber(String column, long least, long most) {
    String text = new String(lines.bytes(), start, end - start, StandardCharsets.UTF_8);
    if (!INTEGER.matcher(text).matches()) {
      fail(column + " is not a number: \"" + text() + "\"");
      return 0;
    }
    BigInteger value = new BigInteger(text);
    if (value.compareTo(BigInteger.valueOf(least)) < 0) {
      fail(column + " " + text() + (least == 0 ? " is negative" : " is below " + least));
      return 0;
    }
    if (value.compareTo(BigInteger.valueOf(most)) > 0) {
      fail(column + " " + text() + " is above " + (most == Long.MAX_VALUE ? "2^63-1" : most));
      return 0;
    }
    return value.longValueExact();
  }
}
