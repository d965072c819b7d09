package io.cistern.gpu;

import io.cistern.ffi.NativeLookupException;

/** There is no driver here, or none that has a device; never seen outside of this package. */
@SuppressWarnings("serial") // Never serialised: it does not leave the package.
final class NoDeviceException extends Exception {

  private final String why;

  NoDeviceException(String why) {
    super(why);
    this.why = why;
  }

  NoDeviceException(NativeLookupException cause) {
    super(cause);
    this.why = String.valueOf(cause.getMessage());
  }

  /** What is missing. */
  String why() {
    return why;
  }
}
