package io.cistern.ffi;

import org.jspecify.annotations.Nullable;

/** A library is not on this machine, or lacks a function; the message names both. */
public final class NativeLookupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private NativeLookupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static NativeLookupException noLibrary(String library, Throwable cause) {
    return new NativeLookupException("the library " + library + " can't be loaded here", cause);
  }

  static NativeLookupException noFunction(String library, String function) {
    return new NativeLookupException(library + " has no function " + function, null);
  }
}
