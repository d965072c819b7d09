package io.cistern.stress.fuzz;

import io.cistern.toml.LayoutFile;
import io.cistern.toml.LayoutFileException;
import java.nio.charset.StandardCharsets;

/** Layout files, as TOML and as JSON: what reads is written and reads again as the same. */
public final class LayoutTarget {

  private static final String NAME = "fuzzed";

  /** A reader of layouts. */
  private interface Parser {
    LayoutFile parse(String text, String name);
  }

  private LayoutTarget() {}

  /** What Jazzer calls with each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    check(text, LayoutFile::parse);
    check(text, LayoutFile::parseJson);
  }

  private static void check(String text, Parser parser) {
    LayoutFile layout;
    try {
      layout = parser.parse(text, NAME);
    } catch (LayoutFileException e) {
      Refusals.check(e, NAME + ":");
      return;
    }
    LayoutFile again = LayoutFile.parse(layout.toToml(), "written");
    if (!again.equals(layout)) {
      throw new AssertionError(layout + " became " + again);
    }
  }
}
