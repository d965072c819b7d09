package io.cistern.trace.format;

import io.cistern.trace.Origin;
import io.cistern.trace.pickle.PlainDict;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the calls that a PyTorch memory snapshot tells of an allocation. */
final class PythonFrames {

  private static final int MOST_FRAMES = 40;

  private PythonFrames() {}

  private record Frame(String name, String file, long line) {

    static Frame of(PlainDict dict) {
      long line = dict.get("line") instanceof Long number ? number : 0;
      return new Frame(text(dict, "name"), text(dict, "filename"), line);
    }

    boolean isPython() {
      return file.endsWith(".py");
    }

    boolean isOfPyTorch() {
      return file.contains("/torch/");
    }

    String brief() {
      return name + " (" + file.substring(file.lastIndexOf('/') + 1) + ":" + line + ")";
    }

    @Override
    public String toString() {
      return name + " at " + file + ":" + line;
    }
  }

  /**
   * The origin that frames mean; null if there are none. Native frames, which are many and those of
   * the allocator, are told only where there are no others. The tag is the innermost line of a
   * program that is not PyTorch's own, or else the innermost of all.
   */
  static @Nullable Origin origin(List<?> frames) {
    List<Frame> all =
        frames.stream()
            .filter(PlainDict.class::isInstance)
            .map(frame -> Frame.of((PlainDict) frame))
            .toList();
    List<Frame> python = all.stream().filter(Frame::isPython).toList();
    List<Frame> told = python.isEmpty() ? all : python;
    if (told.isEmpty()) {
      return null;
    }
    Frame own =
        python.stream().filter(frame -> !frame.isOfPyTorch()).findFirst().orElse(told.getFirst());
    String stack =
        told.stream().limit(MOST_FRAMES).map(Frame::toString).collect(Collectors.joining("\n"));
    int left = told.size() - MOST_FRAMES;
    return new Origin(own.brief(), left > 0 ? stack + "\nand " + left + " more" : stack);
  }

  private static String text(PlainDict frame, String key) {
    return frame.get(key) instanceof String text ? text : "?";
  }
}
