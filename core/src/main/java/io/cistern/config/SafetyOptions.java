package io.cistern.config;

import io.cistern.MemorySize;
import java.util.Objects;

/**
 * What a manager watches over, to find faults of the code that uses its memory. All of it is off
 * unless it is switched on, in code or by the system property {@value #PROPERTY}.
 *
 * <p>Everything but {@code leaks} and {@code check} reads or writes the bytes of slices, so it
 * needs a device with host access; device work on a slice has to be done when it is closed, or be
 * named by a fence. Immutable; safe for many threads.
 *
 * @param check whether a segment of an allocation ends with the handle that it was got from, so
 *     that one that is kept throws {@link IllegalStateException}; needs a device that can lend
 *     segments, as host memory can
 * @param poison whether freed bytes are filled, and looked at when they are used again: what was
 *     written meanwhile is reported
 * @param quarantine how many freed bytes rest before they may be used again; {@link
 *     MemorySize#ZERO}: none
 * @param redZones how many bytes stand behind each allocation, filled, and looked at when it is
 *     freed: a write beyond its end is reported; {@link MemorySize#ZERO}: none. They count as
 *     requested
 * @param leaks one of how many handles is watched until it is closed, with the calls that made it;
 *     1: each; 0: none
 * @param zeroOnAllocate whether an allocation's bytes are zero at first
 * @param zeroOnFree whether freed bytes are zeroed at once
 */
public record SafetyOptions(
    boolean check,
    boolean poison,
    MemorySize quarantine,
    MemorySize redZones,
    int leaks,
    boolean zeroOnAllocate,
    boolean zeroOnFree) {

  /** The most bytes of a red zone: 1 MiB. */
  public static final MemorySize LARGEST_RED_ZONE = MemorySize.ofMiB(1);

  /** Nothing is watched. */
  public static final SafetyOptions OFF =
      new SafetyOptions(false, false, MemorySize.ZERO, MemorySize.ZERO, 0, false, false);

  /** The system property that says what managers watch whose code says nothing. */
  public static final String PROPERTY = "cistern.safety";

  /** One handle of so many is watched if nothing else is said. */
  public static final int USUAL_LEAKS = 128;

  /**
   * Makes the options.
   *
   * @throws NullPointerException if a size is null
   * @throws IllegalArgumentException if {@code leaks} is below 0, or the red zones are larger than
   *     {@link #LARGEST_RED_ZONE}
   */
  public SafetyOptions {
    Objects.requireNonNull(quarantine, "quarantine");
    if (leaks < 0) {
      throw new IllegalArgumentException("one handle in 0 or more is watched, not in " + leaks);
    }
    if (redZones.compareTo(LARGEST_RED_ZONE) > 0) {
      throw new IllegalArgumentException(
          "red zones have at most " + LARGEST_RED_ZONE + ", not " + redZones);
    }
  }

  /**
   * Reads options from words, such as {@code check,leaks=1,quarantine=64MiB}. The words are {@code
   * off}, {@code check}, {@code poison}, {@code quarantine} (16 MiB, or {@code =SIZE}), {@code
   * redzones} (64 B, or {@code =SIZE}), {@code leaks} (1 in 128, or {@code =N}), {@code
   * zero-on-allocate} and {@code zero-on-free}, with commas between them.
   *
   * @throws IllegalArgumentException if a word is not one of these or its value is none; names it
   */
  public static SafetyOptions parse(String words) {
    return SafetyWords.read(words);
  }

  /**
   * What the system property {@value #PROPERTY} says; {@link #OFF} if it is not set.
   *
   * @throws IllegalArgumentException if it can't be read; names the property and the word
   */
  public static SafetyOptions ofProperty() {
    String words = System.getProperty(PROPERTY);
    if (words == null) {
      return OFF;
    }
    try {
      return parse(words);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the property " + PROPERTY + ": " + e.getMessage(), e);
    }
  }

  /** These options, with segments that end with their handle or not. */
  public SafetyOptions withCheck(boolean value) {
    return new SafetyOptions(
        value, poison, quarantine, redZones, leaks, zeroOnAllocate, zeroOnFree);
  }

  /** These options, with freed bytes poisoned or not. */
  public SafetyOptions withPoison(boolean value) {
    return new SafetyOptions(check, value, quarantine, redZones, leaks, zeroOnAllocate, zeroOnFree);
  }

  /** These options, with another number of freed bytes that rest. */
  public SafetyOptions withQuarantine(MemorySize value) {
    return new SafetyOptions(check, poison, value, redZones, leaks, zeroOnAllocate, zeroOnFree);
  }

  /**
   * These options, with red zones of another size.
   *
   * @throws IllegalArgumentException if it is above {@link #LARGEST_RED_ZONE}
   */
  public SafetyOptions withRedZones(MemorySize value) {
    return new SafetyOptions(check, poison, quarantine, value, leaks, zeroOnAllocate, zeroOnFree);
  }

  /**
   * These options, with another part of the handles watched.
   *
   * @param oneIn one of how many; 1: each; 0: none
   * @throws IllegalArgumentException if it is below 0
   */
  public SafetyOptions withLeaks(int oneIn) {
    return new SafetyOptions(
        check, poison, quarantine, redZones, oneIn, zeroOnAllocate, zeroOnFree);
  }

  /** These options, with memory zeroed for each owner or not. */
  public SafetyOptions withZeroOnAllocate(boolean value) {
    return new SafetyOptions(check, poison, quarantine, redZones, leaks, value, zeroOnFree);
  }

  /** These options, with memory zeroed behind each owner or not. */
  public SafetyOptions withZeroOnFree(boolean value) {
    return new SafetyOptions(check, poison, quarantine, redZones, leaks, zeroOnAllocate, value);
  }

  /** Whether bytes of slices are read or written. */
  public boolean touchesBytes() {
    return poison || zeroOnAllocate || zeroOnFree || redZones.bytes() > 0;
  }
}
