package io.cistern.cli;

import io.cistern.storage.DeviceProperties;
import io.cistern.trace.replay.Replay;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What commands that run a trace have in common: the trace, the layout, and the device. */
final class TraceOptions {

  @Mixin private TraceFileOptions file;

  @Option(
      names = "--layout",
      paramLabel = "NAME|FILE",
      description =
          "sub-slices, exclusive-pages or a TOML file (default: sub-slices, or exclusive-pages"
              + " where a device can't share a block).")
  private @Nullable String layout;

  @Mixin private DeviceOptions deviceOptions;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TraceOptions() {}

  /** The trace. */
  Path trace() {
    return file.trace();
  }

  /**
   * Looks whether the trace can be read again: a pipe would be empty the second time.
   *
   * @param what what needs it
   * @throws WrongUseException if it can't
   */
  void checkReadTwice(String what) {
    Path trace = file.trace();
    if (Files.exists(trace) && !Files.isRegularFile(trace)) {
      throw new WrongUseException(
          trace + " can't be read twice, as " + what + " needs: use a file");
    }
  }

  /**
   * The device.
   *
   * @throws WrongUseException if there is no such device, or the trace is none
   */
  ChosenDevice device() {
    file.check();
    return deviceOptions.choose();
  }

  /**
   * The layout that is meant; checked, so that a fault shows before the work and with its place.
   */
  ChosenLayout layoutFor(DeviceProperties device) {
    ChosenLayout chosen =
        layout != null ? ChosenLayout.named(layout) : ChosenLayout.defaultFor(device);
    chosen.checkReplayable(device);
    return chosen;
  }

  /** Begins to describe a replay of the trace. */
  Replay.Builder replay(ChosenDevice device, ChosenLayout pools) {
    return Replay.of(file.trace())
        .reading(file.reading())
        .devices(device::open)
        .deviceName(device.name())
        .pools(pools.pools())
        .layoutName(pools.name())
        .lenient(file.isLenient());
  }
}
