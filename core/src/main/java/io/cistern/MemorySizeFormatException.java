package io.cistern;

/** A text was to be read as a size and is none, or one that no {@link MemorySize} can hold. */
public final class MemorySizeFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Longer texts are cut in the message, so that a broken file does not fill the screen. */
  private static final int TEXT_SHOWN = 500;

  private final String text;
  private final int position;

  /**
   * Says what is wrong with a size text.
   *
   * @param text the whole text as given
   * @param position where reading ended, from 0; the text's length when it ended too early
   * @param reason what was expected
   */
  public MemorySizeFormatException(String text, int position, String reason) {
    super("\"" + shown(text) + "\" is no size: " + reason + " (at position " + position + ")");
    this.text = text;
    this.position = position;
  }

  /** The whole text as given. */
  public String text() {
    return text;
  }

  /** Where in the text the fault is, from 0. */
  public int position() {
    return position;
  }

  /** The text on one line: control characters as their code, and what is too long cut. */
  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.chars()
        .limit(TEXT_SHOWN)
        .forEach(c -> shown.append(c < ' ' ? "\\u%04X".formatted(c) : Character.toString(c)));
    if (text.length() > TEXT_SHOWN) {
      shown.append("… (").append(text.length()).append(" characters)");
    }
    return shown.toString();
  }
}
