package io.cistern.trace;

import java.util.Optional;

/**
 * How a trace is to be read.
 *
 * @param format its format; empty: what its content shows
 * @param device which device's memory, where a trace has several, in the words of {@link
 *     TraceFacts.Device#name}; empty: the one with the most events
 */
public record ReadOptions(Optional<TraceFormat> format, Optional<String> device) {

  /** The format that the content shows, and the device with the most events. */
  public static final ReadOptions DEFAULT = new ReadOptions(Optional.empty(), Optional.empty());

  /** The same, but with a format, whatever the content shows. */
  public ReadOptions withFormat(TraceFormat forced) {
    return new ReadOptions(Optional.of(forced), device);
  }

  /** The same, but of a device. */
  public ReadOptions withDevice(String name) {
    return new ReadOptions(format, Optional.of(name));
  }
}
