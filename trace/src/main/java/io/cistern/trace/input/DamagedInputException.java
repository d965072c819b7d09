package io.cistern.trace.input;

import java.io.IOException;

/** Compressed data is damaged or cut off. */
public final class DamagedInputException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedInputException(String message) {
    super(message);
  }
}
