package io.cistern.cli;

import java.util.ArrayList;
import java.util.List;

/** Lines of text in columns. A column whose cells are all empty is left out. */
final class TextTable {

  private static final int WIDTH = 80;

  private final List<String[]> rows = new ArrayList<>();
  private final int leftColumns;

  /**
   * Begins a table.
   *
   * @param leftColumns so many first columns are flush left, the others flush right
   * @param header the names of the columns
   */
  TextTable(int leftColumns, String... header) {
    this.leftColumns = leftColumns;
    rows.add(header);
  }

  /** Adds a line, with as many cells as the header has. */
  void add(String... cells) {
    rows.add(cells);
  }

  /** The lines, two blanks between columns, or one where they would be too wide. */
  String text() {
    int[] widths = widths();
    int total = 0;
    for (int width : widths) {
      total += width == 0 ? 0 : width + 2;
    }
    String gap = total - 2 <= WIDTH ? "  " : " ";
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      text.append(line(row, widths, gap).stripTrailing()).append('\n');
    }
    return text.toString();
  }

  /** The width of each column, 0 where only the header has something. */
  private int[] widths() {
    int[] widths = new int[rows.getFirst().length];
    for (String[] row : rows.subList(1, rows.size())) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (int i = 0; i < widths.length; i++) {
      widths[i] = widths[i] == 0 ? 0 : Math.max(widths[i], rows.getFirst()[i].length());
    }
    return widths;
  }

  private String line(String[] row, int[] widths, String gap) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length; i++) {
      if (widths[i] > 0) {
        String fill = " ".repeat(widths[i] - row[i].length());
        line.append(line.isEmpty() ? "" : gap);
        line.append(i < leftColumns ? row[i] + fill : fill + row[i]);
      }
    }
    return line.toString();
  }
}
