package io.cistern.trace;

import java.util.Optional;

/**
 * How a trace is to be read.
 *
 * @param format its format; empty: what its content shows
 * @param device which device's memory, where a trace has several, in the words of {@link
 *     TraceFacts.Device#name}; empty: the one with the most events
 * @param origins whether to read where allocations came from, which takes up to 50 MiB of the Java
 *     heap
 */
public record ReadOptions(Optional<TraceFormat> format, Optional<String> device, boolean origins) {

  /** The format that the content shows, and the device with the most events. */
  public static final ReadOptions DEFAULT =
      new ReadOptions(Optional.empty(), Optional.empty(), false);

  /** The same, but with a format, whatever the content shows. */
  public ReadOptions withFormat(TraceFormat forced) {
    return new ReadOptions(Optional.of(forced), device, origins);
  }

  /** The same, but of a device. */
  public ReadOptions withDevice(String name) {
    return new ReadOptions(format, Optional.of(name), origins);
  }

  /** The same, but with the origins of allocations. */
  public ReadOptions withOrigins() {
    return new ReadOptions(format, device, true);
  }
}
