package io.cistern.manager;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out who asks. */
final class Places {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String OWN_PACKAGE = Places.class.getPackageName();

  private Places() {}

  /** The innermost caller outside of this package; null if there is none. */
  static @Nullable StackTraceElement caller() {
    Optional<StackTraceElement> caller =
        WALKER.walk(
            frames ->
                frames
                    .dropWhile(frame -> isOwn(frame.getClassName()))
                    .findFirst()
                    .map(StackWalker.StackFrame::toStackTraceElement));
    return caller.orElse(null);
  }

  private static boolean isOwn(String className) {
    return className.startsWith(OWN_PACKAGE + ".")
        && className.indexOf('.', OWN_PACKAGE.length() + 1) < 0;
  }
}
