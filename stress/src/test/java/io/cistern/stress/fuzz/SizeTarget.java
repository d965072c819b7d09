package io.cistern.stress.fuzz;

import io.cistern.MemorySize;
import io.cistern.MemorySizeFormatException;
import java.nio.charset.StandardCharsets;

/** Texts of sizes: what is read is printed and read again as the same. */
public final class SizeTarget {

  private SizeTarget() {}

  /** What Jazzer calls with each input. */
  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    MemorySize size;
    try {
      size = MemorySize.parse(text);
    } catch (MemorySizeFormatException e) {
      if (e.position() < 0 || e.position() > text.length() || !e.text().equals(text)) {
        throw new AssertionError("not a place in the text: " + e.position(), e);
      }
      return;
    }
    if (size.bytes() < 0 || !MemorySize.parse(size.toString()).equals(size)) {
      throw new AssertionError(text + " became " + size.bytes() + " bytes");
    }
  }
}
