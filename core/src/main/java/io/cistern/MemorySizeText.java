package io.cistern;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/**
 * Sizes as text: the grammar behind {@link MemorySize#parse} and its reverse.
 *
 * <pre>
 * size   = blanks number blanks [unit] blanks
 * number = digits [ "." [digits] ] | "." digits        a dot only with a unit of at least K
 * digits = digit { ["_"] digit }
 * unit   = "B" | (K M G T P E) [ "B" | "iB" ]          any case, all binary
 * </pre>
 */
final class MemorySizeText {

  /** The units, all powers of 1024. */
  enum Unit {
    B(0, "B"),
    KIB(10, "KiB"),
    MIB(20, "MiB"),
    GIB(30, "GiB"),
    TIB(40, "TiB"),
    PIB(50, "PiB"),
    EIB(60, "EiB");

    private final int shift;
    private final String text;

    Unit(int shift, String text) {
      this.shift = shift;
      this.text = text;
    }

    /** The unit is two to the power of this many bytes. */
    int shift() {
      return shift;
    }

    String text() {
      return text;
    }
  }

  private static final String PREFIXES = "bkmgtpe";
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  /** 2^63-1 has 19 digits: more leading digits need no arithmetic to be refused. */
  private static final int MAX_DIGITS = 19;

  private final String text;
  private int at;

  private MemorySizeText(String text) {
    this.text = text;
  }

  static long parse(String text) {
    return new MemorySizeText(text).size();
  }

  static String print(long bytes) {
    int shift = bytes == 0 ? 0 : Long.numberOfTrailingZeros(bytes) / 10 * 10;
    return (bytes >> shift) + Unit.values()[shift / 10].text;
  }

  private long size() {
    blanks();
    int start = at;
    if (atEnd()) {
      throw fault("there is no number");
    }
    String whole = digits();
    int dot = at;
    boolean dotted = !atEnd() && text.charAt(at) == '.';
    String fraction = "";
    if (dotted) {
      at++;
      fraction = digits();
      if (!atEnd() && text.charAt(at) == '.') {
        throw fault("a number has one dot at most");
      }
    }
    if (whole.isEmpty() && fraction.isEmpty()) {
      at = start;
      throw fault(numberExpected());
    }
    blanks();
    Unit unit = unit();
    if (dotted && unit == Unit.B) {
      at = dot;
      throw fault("a fraction needs a unit of at least K");
    }
    blanks();
    if (!atEnd()) {
      throw fault("nothing may follow the unit");
    }
    at = start;
    return value(whole, fraction, unit);
  }

  private long value(String whole, String fraction, Unit unit) {
    String significant = stripLeadingZeros(whole);
    if (significant.length() <= MAX_DIGITS) {
      BigInteger bytes =
          new BigDecimal("0" + significant + "." + fraction + "0")
              .multiply(new BigDecimal(BigInteger.ONE.shiftLeft(unit.shift)))
              .toBigInteger();
      if (bytes.compareTo(MAX) <= 0) {
        return bytes.longValueExact();
      }
    }
    throw fault("it is above 2^63-1 bytes");
  }

  /** Reads digits with single underscores between them; empty where there is none. */
  private String digits() {
    StringBuilder digits = new StringBuilder();
    while (!atEnd()) {
      char c = text.charAt(at);
      if (c >= '0' && c <= '9') {
        digits.append(c);
      } else if (c != '_') {
        break;
      } else if (digits.isEmpty() || !digitAt(at + 1)) {
        throw fault("an underscore stands between two digits only");
      }
      at++;
    }
    return digits.toString();
  }

  private Unit unit() {
    int start = at;
    while (!atEnd() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at).toLowerCase(Locale.ROOT);
    if (word.isEmpty() || word.equals("b")) {
      return Unit.B;
    }
    int prefix = PREFIXES.indexOf(word.charAt(0));
    String rest = word.substring(1);
    if (prefix < 1 || !(rest.isEmpty() || rest.equals("b") || rest.equals("ib"))) {
      at = start;
      throw fault("the units are B, K, KB, KiB, M, … up to E, EB, EiB");
    }
    return Unit.values()[prefix];
  }

  private void blanks() {
    while (!atEnd() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private String numberExpected() {
    return text.charAt(at) == '-' ? "a size is never negative" : "a number is expected";
  }

  private boolean digitAt(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private boolean atEnd() {
    return at >= text.length();
  }

  private MemorySizeFormatException fault(String reason) {
    return new MemorySizeFormatException(text, at, reason);
  }

  private static String stripLeadingZeros(String digits) {
    int first = 0;
    while (first < digits.length() && digits.charAt(first) == '0') {
      first++;
    }
    return digits.substring(first);
  }
}
