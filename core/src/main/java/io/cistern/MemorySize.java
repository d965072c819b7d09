package io.cistern;

/**
 * A size in bytes, 0 to 2<sup>63</sup>-1.
 *
 * <p>Sizes read from text and print as text with binary units; what {@link #toString} prints,
 * {@link #parse} reads back. All arithmetic is exact: what leaves the range is refused, never
 * saturated, never wrapped. Immutable and safe for any thread.
 *
 * @param bytes the size in bytes, 0 to {@link Long#MAX_VALUE}
 */
public record MemorySize(long bytes) implements Comparable<MemorySize> {

  /** No bytes. */
  public static final MemorySize ZERO = new MemorySize(0);

  /** The largest size, 2<sup>63</sup>-1 bytes. */
  public static final MemorySize MAX = new MemorySize(Long.MAX_VALUE);

  /**
   * Makes a size.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public MemorySize {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "a size is 0 to " + Long.MAX_VALUE + " bytes, not " + bytes);
    }
  }

  /**
   * A size of {@code bytes} bytes.
   *
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  public static MemorySize of(long bytes) {
    return new MemorySize(bytes);
  }

  /**
   * {@code count} kibibytes (1024 bytes each).
   *
   * @throws IllegalArgumentException if the size is negative or above 2<sup>63</sup>-1 bytes
   */
  public static MemorySize ofKiB(long count) {
    return of(count, MemorySizeText.Unit.KIB);
  }

  /**
   * {@code count} mebibytes (1024<sup>2</sup> bytes each).
   *
   * @throws IllegalArgumentException if the size is negative or above 2<sup>63</sup>-1 bytes
   */
  public static MemorySize ofMiB(long count) {
    return of(count, MemorySizeText.Unit.MIB);
  }

  /**
   * {@code count} gibibytes (1024<sup>3</sup> bytes each).
   *
   * @throws IllegalArgumentException if the size is negative or above 2<sup>63</sup>-1 bytes
   */
  public static MemorySize ofGiB(long count) {
    return of(count, MemorySizeText.Unit.GIB);
  }

  private static MemorySize of(long count, MemorySizeText.Unit unit) {
    if (count < 0 || count > Long.MAX_VALUE >> unit.shift()) {
      throw new IllegalArgumentException(
          "a size is 0 to " + Long.MAX_VALUE + " bytes, not " + count + unit.text());
    }
    return new MemorySize(count << unit.shift());
  }

  /**
   * Reads a size such as {@code 1024}, {@code 8KiB}, {@code 1.5 GiB}, {@code 64k} or {@code
   * 1_048_576}.
   *
   * <p>Units are {@code B, K, KB, KiB, M, …, EiB}, all binary and case-insensitive. Blanks may
   * stand before, between and after; {@code _} between digits. A fraction needs a unit of at least
   * K, and what is left below one byte is dropped.
   *
   * @param text the text to read
   * @return the size
   * @throws MemorySizeFormatException if the text is no size, or one above 2<sup>63</sup>-1 bytes
   */
  public static MemorySize parse(CharSequence text) {
    return new MemorySize(MemorySizeText.parse(text.toString()));
  }

  /**
   * The sum of two sizes.
   *
   * @throws ArithmeticException if the sum is above 2<sup>63</sup>-1 bytes
   */
  public MemorySize plus(MemorySize other) {
    return new MemorySize(Math.addExact(bytes, other.bytes));
  }

  /**
   * This size less another.
   *
   * @throws IllegalArgumentException if {@code other} is larger than this size
   */
  public MemorySize minus(MemorySize other) {
    return new MemorySize(bytes - other.bytes);
  }

  /**
   * This size {@code factor} times.
   *
   * @throws ArithmeticException if the product is above 2<sup>63</sup>-1 bytes
   * @throws IllegalArgumentException if {@code factor} is negative
   */
  public MemorySize times(long factor) {
    return new MemorySize(Math.multiplyExact(bytes, factor));
  }

  @Override
  public int compareTo(MemorySize other) {
    return Long.compare(bytes, other.bytes);
  }

  /**
   * The size with the largest unit that divides it exactly, such as {@code 64MiB} or {@code 7B}.
   */
  @Override
  public String toString() {
    return MemorySizeText.print(bytes);
  }
}
