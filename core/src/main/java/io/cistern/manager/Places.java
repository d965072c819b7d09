package io.cistern.manager;

/** Finds out who asks. */
final class Places {

  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String OWN_PACKAGE = Places.class.getPackageName();

  private Places() {}

  /** The innermost stack frame outside of this package; empty if there is none. */
  static String caller() {
    return WALKER.walk(
        frames ->
            frames
                .dropWhile(frame -> isOwn(frame.getClassName()))
                .findFirst()
                .map(frame -> frame.toStackTraceElement().toString())
                .orElse(""));
  }

  private static boolean isOwn(String className) {
    return className.startsWith(OWN_PACKAGE + ".")
        && className.indexOf('.', OWN_PACKAGE.length() + 1) < 0;
  }
}
