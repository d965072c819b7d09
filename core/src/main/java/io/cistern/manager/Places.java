package io.cistern.manager;

import java.util.List;
import java.util.Set;

/** Finds out who asks. */
final class Places {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final Set<String> DOOR =
      Set.of(
          Places.class.getName(),
          HandleWatches.class.getName(),
          MemoryManager.class.getName(),
          Allocation.class.getName());

  private Places() {}

  /** The innermost stack frame outside of the manager; empty if there is none. */
  static String caller() {
    return WALKER.walk(
        frames ->
            frames
                .dropWhile(frame -> DOOR.contains(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.toStackTraceElement().toString())
                .orElse(""));
  }

  /** The stack frames outside of the manager, innermost first. */
  static List<String> calls(int atMost) {
    return WALKER.walk(
        frames ->
            frames
                .dropWhile(frame -> DOOR.contains(outermost(frame.getClassName())))
                .limit(atMost)
                .map(frame -> frame.toStackTraceElement().toString())
                .toList());
  }

  private static String outermost(String className) {
    int nested = className.indexOf('$');
    return nested < 0 ? className : className.substring(0, nested);
  }
}
