package io.cistern.trace.format;

import io.cistern.trace.Origin;
import io.cistern.trace.pickle.PlainDict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the calls that a PyTorch memory snapshot tells of an allocation. */
final class PythonFrames {

  private static final int MOST_FRAMES = 40;

  private PythonFrames() {}

  /**
   * The origin that frames mean; null if there are none. Its tag is the innermost line of a Python
   * program that is not PyTorch's own, or else the innermost frame.
   */
  static @Nullable Origin origin(List<?> frames) {
    StringBuilder stack = new StringBuilder();
    String innermost = null;
    String own = null;
    int count = 0;
    for (Object element : frames) {
      if (!(element instanceof PlainDict frame)) {
        continue;
      }
      String file = text(frame, "filename");
      String name = text(frame, "name");
      long line = frame.get("line") instanceof Long number ? number : 0;
      if (count++ < MOST_FRAMES) {
        stack.append(name).append(" at ").append(file).append(':').append(line).append('\n');
      }
      String brief = name + " (" + file.substring(file.lastIndexOf('/') + 1) + ":" + line + ")";
      innermost = innermost == null ? brief : innermost;
      if (own == null && file.endsWith(".py") && !file.contains("/torch/")) {
        own = brief;
      }
    }
    if (innermost == null) {
      return null;
    }
    if (count > MOST_FRAMES) {
      stack.append("and ").append(count - MOST_FRAMES).append(" more\n");
    }
    return new Origin(own != null ? own : innermost, stack.toString().stripTrailing());
  }

  private static String text(PlainDict frame, String key) {
    return frame.get(key) instanceof String text ? text : "?";
  }
}
