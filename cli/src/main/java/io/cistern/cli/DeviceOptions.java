package io.cistern.cli;

import io.cistern.MemorySize;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose a device. */
final class DeviceOptions {

  @Option(
      names = "--device",
      paramLabel = "KIND[:INDEX]",
      defaultValue = "host",
      description = "The device, as \"cistern devices\" lists them (default: ${DEFAULT-VALUE}).")
  private String device;

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

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      description = "The most memory to take at once (default: the device's memory).")
  private @Nullable MemorySize capacity;

  @Option(
      names = "--device-option",
      paramLabel = "NAME=VALUE",
      description =
          "What only this kind of device has, as its guide page lists it; any number of them.")
  private @Nullable Map<String, String> settings;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  DeviceOptions() {}

  /**
   * The device that is meant.
   *
   * @throws WrongUseException if there is no such device
   */
  ChosenDevice choose() {
    ChosenDevice chosen = ChosenDevice.named(device);
    if (alignment != null) {
      chosen = chosen.with(chosen.options().withByteAlignment(alignment.bytes()));
    }
    if (maxPageSize != null) {
      chosen = chosen.with(chosen.options().withMaxPageSize(maxPageSize));
    }
    if (capacity != null) {
      chosen = chosen.with(chosen.options().withCapacity(capacity));
    }
    if (settings != null) {
      for (Map.Entry<String, String> setting : settings.entrySet()) {
        chosen = chosen.with(chosen.options().withSetting(setting.getKey(), setting.getValue()));
      }
    }
    return chosen;
  }
}
