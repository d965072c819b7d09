package io.cistern.cli;

import io.cistern.MemorySize;
import io.cistern.storage.StorageOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that change what a device says of itself. */
final class SizeOptions {

  @Option(
      names = "--alignment",
      paramLabel = "N",
      description =
          "The alignment of slices in bytes (default: 256, or the device's own if larger).")
  private @Nullable MemorySize alignment;

  @Option(
      names = "--max-page-size",
      paramLabel = "SIZE",
      description = "What presets take for the largest page (default: a quarter of the memory).")
  private @Nullable MemorySize maxPageSize;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  SizeOptions() {}

  /** Other options with these. */
  StorageOptions of(StorageOptions others) {
    StorageOptions options = others;
    if (alignment != null) {
      options = options.withByteAlignment(alignment.bytes());
    }
    if (maxPageSize != null) {
      options = options.withMaxPageSize(maxPageSize);
    }
    return options;
  }

  /**
   * The simulated device with these.
   *
   * @throws WrongUseException if it can't be had with them
   */
  ChosenDevice simulated() {
    ChosenDevice plain = ChosenDevice.named(SimulatedByDefault.SIMULATED);
    ChosenDevice device = plain.with(of(plain.options()));
    device.open().close();
    return device;
  }
}
