package io.cistern.host;

import io.cistern.ffi.ErrorCode;

/** The operating system refused; never seen outside of this package. */
@SuppressWarnings("serial") // Never serialised: it does not leave the package.
final class OsRefusal extends Exception {

  OsRefusal(String message) {
    super(message);
  }

  OsRefusal(String message, Throwable cause) {
    super(message, cause);
  }

  /** A call that failed with a code. */
  static OsRefusal of(String call, long byteSize, ErrorCode code) {
    return new OsRefusal(call + " of " + byteSize + " bytes gives " + code);
  }
}
