package io.cistern.cli;

/** What a command tells the shell. */
final class ExitCodes {

  /** Done. */
  static final int DONE = 0;

  /** The work failed: a request was refused, a slice was overwritten, the output was lost. */
  static final int FAILED = 1;

  /** Wrong use, or bad input. */
  static final int WRONG_USE = 2;

  /** Ended by Ctrl-C. */
  static final int INTERRUPTED = 130;

  private ExitCodes() {}
}
