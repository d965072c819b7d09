package io.cistern.trace.script;

/** A check after a step of a script failed: the pools are wrong, or an expectation is. */
public final class ScriptFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ScriptFailure(String file, long line, String reason) {
    super(file + ":" + line + ": " + reason);
  }
}
