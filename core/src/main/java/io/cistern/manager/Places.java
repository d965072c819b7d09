package io.cistern.manager;

import java.util.Set;

/** Finds out who asks. */
final class Places {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final Set<String> DOOR =
      Set.of(Places.class.getName(), MemoryManager.class.getName());

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
}
