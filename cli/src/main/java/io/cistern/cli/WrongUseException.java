package io.cistern.cli;

/** A command can't do what it was asked for; the message says why, for the user. */
final class WrongUseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongUseException(String message) {
    super(message);
  }

  WrongUseException(String message, Throwable cause) {
    super(message, cause);
  }
}
