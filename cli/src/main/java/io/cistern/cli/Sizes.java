package io.cistern.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;

/** Writes numbers for people: three or four digits that tell. */
final class Sizes {

  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  private static final String[] POWERS = {"", "k", "M", "G", "T", "P", "E"};
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_UP);
  private static final long MOST_IN_FULL = 99_999;

  private Sizes() {}

  /** A size with a binary unit, such as {@code 1.25GiB}; at most seven characters. */
  static String shortSize(long bytes) {
    return scaled(bytes, 1024, UNITS);
  }

  /** As {@link #shortSize}, with a blank before the unit. */
  static String size(long bytes) {
    return shortSize(bytes).replaceFirst("(?<=[0-9])(?=[A-Z])", " ");
  }

  /** A count, such as {@code 12345} or {@code 1.23M}; at most five characters. */
  static String shortCount(long count) {
    return count <= MOST_IN_FULL ? Long.toString(count) : scaled(count, 1000, POWERS);
  }

  /** A number with its digits in groups. */
  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A ratio, to three places. */
  static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  /** As {@link #ratio(double)}; empty if there is none. */
  static String ratio(OptionalDouble ratio) {
    return ratio.isPresent() ? ratio(ratio.getAsDouble()) : "";
  }

  /** Nanoseconds without a unit; empty if there are none. */
  static String nanos(OptionalDouble nanos) {
    return nanos.isPresent() ? String.format(Locale.ROOT, "%.1f", nanos.getAsDouble()) : "";
  }

  private static String scaled(long number, long base, String[] units) {
    BigDecimal value = BigDecimal.valueOf(number);
    int unit = 0;
    while (rounded(value).compareTo(BigDecimal.valueOf(base)) >= 0) {
      value = value.divide(BigDecimal.valueOf(base));
      unit++;
    }
    return rounded(value).toPlainString() + units[unit];
  }

  /** Three digits, or all before the point. */
  private static BigDecimal rounded(BigDecimal value) {
    int digits = value.precision() - value.scale();
    return digits >= 3 ? value.setScale(0, RoundingMode.HALF_UP) : value.round(THREE_DIGITS);
  }
}
