package io.cistern.cli;

import io.cistern.trace.picture.Curves;
import io.cistern.trace.picture.Curves.Series;

/**
 * The curves of what is reserved and in use, in a few lines of text: each column is the highest
 * value of its rows.
 */
final class CurveText {

  private static final int LINES = 6;
  private static final int EIGHTHS = 8;
  private static final String LABEL = "%8s ";
  private static final int LABEL_WIDTH = 10;
  private static final int WIDEST = 120;

  private static final String IN_USE = "\u001b[32m";
  private static final String RESERVED = "\u001b[34m";
  private static final String PLAIN = "\u001b[0m";

  /**
   * How it is drawn.
   *
   * @param width the columns there are
   * @param ascii whether with ASCII alone
   * @param coloured whether with colours
   */
  record Style(int width, boolean ascii, boolean coloured) {}

  private final Curves curves;
  private final Style style;
  private final int columns;
  private final long top;

  private CurveText(Curves curves, Style style) {
    this.curves = curves;
    this.style = style;
    // The last column stays empty: some terminals wrap once it is filled.
    this.columns = Math.min(style.width, WIDEST) - LABEL_WIDTH - 1;
    this.top = Math.max(curves.peak(Series.RESERVED), curves.peak(Series.IN_USE));
  }

  /** The lines; empty if there is nothing to draw, or no room. */
  static String of(Curves curves, Style style) {
    CurveText text = new CurveText(curves, style);
    return text.columns < LABEL_WIDTH || text.top <= 0 ? "" : text.draw();
  }

  private String draw() {
    int[] reserved = heights(Series.RESERVED);
    int[] inUse = heights(Series.IN_USE);
    StringBuilder text = new StringBuilder();
    for (int line = LINES - 1; line >= 0; line--) {
      text.append(LABEL.formatted(line == LINES - 1 ? Sizes.size(top) : ""));
      text.append(style.ascii ? '|' : '\u2502');
      line(text, line * EIGHTHS, reserved, inUse);
      text.append('\n');
    }
    text.append(LABEL.formatted("0 B")).append(style.ascii ? '+' : '\u2514');
    text.append((style.ascii ? "-" : "\u2500").repeat(columns)).append('\n');
    return text.append(legend()).append('\n').toString();
  }

  private String legend() {
    String rows = Sizes.shortCount(curves.rows()) + " operations";
    String key = style.ascii ? "# in use  . reserved" : "\u2588 in use  \u2591 reserved";
    int gap = columns - key.length() - rows.length();
    return gap < 1
        ? " ".repeat(LABEL_WIDTH) + key.substring(0, Math.min(key.length(), columns))
        : " ".repeat(LABEL_WIDTH) + key + " ".repeat(gap) + rows;
  }

  /** For each column its height, in eighths of a line; anything above 0 shows. */
  private int[] heights(Series series) {
    int[] heights = new int[columns];
    int buckets = curves.buckets();
    for (int column = 0; column < columns; column++) {
      int from = (int) ((long) column * buckets / columns);
      int to = Math.max(from + 1, (int) ((column + 1L) * buckets / columns));
      long highest = 0;
      for (int bucket = from; bucket < to; bucket++) {
        highest = Math.max(highest, curves.highest(series, bucket));
      }
      heights[column] = (int) Math.ceil((double) highest / top * LINES * EIGHTHS);
    }
    return heights;
  }

  private void line(StringBuilder text, int foot, int[] reserved, int[] inUse) {
    int end = columns;
    while (end > 0 && reserved[end - 1] <= foot && inUse[end - 1] <= foot) {
      end--;
    }
    String colour = PLAIN;
    for (int column = 0; column < end; column++) {
      String wanted = inUse[column] > foot ? IN_USE : reserved[column] > foot ? RESERVED : colour;
      if (style.coloured && !wanted.equals(colour)) {
        text.append(wanted);
        colour = wanted;
      }
      text.append(cell(reserved[column] - foot, inUse[column] - foot));
    }
    text.append(colour.equals(PLAIN) ? "" : PLAIN);
  }

  private char cell(int reserved, int inUse) {
    if (inUse > 0) {
      return style.ascii ? '#' : (char) ('\u2581' + Math.min(inUse, EIGHTHS) - 1);
    }
    return reserved <= 0 ? ' ' : style.ascii ? '.' : '\u2591';
  }
}
