package io.cistern.layout;

/** A list of pools was refused when it was resolved for a device. */
public final class LayoutException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient LayoutFault fault;

  /**
   * Says what is wrong.
   *
   * @param fault the fault with its values
   */
  public LayoutException(LayoutFault fault) {
    super(fault.message());
    this.fault = fault;
  }

  /** The fault, with its values; lost when the exception is serialised. */
  public LayoutFault fault() {
    return fault;
  }
}
