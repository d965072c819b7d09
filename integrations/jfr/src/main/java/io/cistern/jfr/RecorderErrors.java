package io.cistern.jfr;

/** The errors of misuse in this package. */
final class RecorderErrors {

  private RecorderErrors() {}

  static IllegalStateException managerClosed(String name) {
    return new IllegalStateException(
        "the memory manager of the recorder \"" + name + "\" is closed, so it can't be watched");
  }

  static IllegalStateException alreadyWatching(String name) {
    return new IllegalStateException(
        "the recorder \"" + name + "\" watches a manager already; each manager has its own");
  }
}
