package io.cistern.ffi;

/**
 * What a native function says went wrong, printed as {@code ENOMEM (12)}.
 *
 * @param name the code's name in the library's headers
 * @param number the code
 */
public record ErrorCode(String name, int number) {

  @Override
  public String toString() {
    return name + " (" + number + ")";
  }
}
