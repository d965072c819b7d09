package io.cistern.conformance.scenarios;

/**
 * A handle refused because it is closed. Cistern says that and the close of a manager by the same
 * class of exception, so what tells them apart is which call threw.
 */
final class ClosedHandleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final IllegalStateException refusal;

  ClosedHandleException(IllegalStateException refusal) {
    super(refusal);
    this.refusal = refusal;
  }

  /** What the handle threw. */
  IllegalStateException refusal() {
    return refusal;
  }
}
