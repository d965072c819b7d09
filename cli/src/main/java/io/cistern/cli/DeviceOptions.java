package io.cistern.cli;

import io.cistern.MemorySize;
import java.util.List;
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
          "A setting of this kind of device, as \"cistern devices\" lists them; any number of them.")
  private List<String> settings = List.of();

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
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new WrongUseException(
            "--device-option takes NAME=VALUE, such as memory=svm-fine, not \"" + setting + "\"");
      }
      String name = setting.substring(0, equals);
      chosen = chosen.with(chosen.options().withSetting(name, setting.substring(equals + 1)));
    }
    return chosen;
  }
}
