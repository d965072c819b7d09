package io.cistern.cli;

import io.cistern.MemorySize;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose a device. */
final class DeviceOptions {

  @Option(
      names = "--device",
      paramLabel = "KIND[:INDEX]",
      defaultValue = "host",
      description = "The device, as \"cistern devices\" lists them (default: ${DEFAULT-VALUE}).")
  private String device;

  @Mixin private SizeOptions sizes;

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
    chosen = chosen.with(sizes.of(chosen.options()));
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
