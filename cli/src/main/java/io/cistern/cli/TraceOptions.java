package io.cistern.cli;

import io.cistern.config.PersistentMemory;
import io.cistern.storage.DeviceProperties;
import io.cistern.trace.Replay;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What commands that run a trace have in common: the trace, the layout, and the device. */
final class TraceOptions {

  @Parameters(paramLabel = "TRACE", description = "The trace.")
  private Path trace;

  @Option(
      names = "--layout",
      paramLabel = "NAME|FILE",
      description =
          "sub-slices, exclusive-pages or a TOML file (default: sub-slices, or exclusive-pages"
              + " where a device can't share a block).")
  private @Nullable String layout;

  @Mixin private DeviceOptions deviceOptions;

  @Option(names = "--lenient", description = "Skip and count bad rows instead of ending at one.")
  private boolean lenient;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  TraceOptions() {}

  /** The trace. */
  Path trace() {
    return trace;
  }

  /**
   * The device.
   *
   * @throws WrongUseException if there is no such device, or the trace is none
   */
  ChosenDevice device() {
    if (trace.toString().isEmpty()) {
      throw new WrongUseException("TRACE is an empty text, not the name of a file");
    }
    if (Files.isDirectory(trace)) {
      throw new WrongUseException(trace + " is a folder, not a trace");
    }
    return deviceOptions.choose();
  }

  /**
   * The layout that is meant; checked, so that a fault shows before the work and with its place.
   */
  ChosenLayout layoutFor(DeviceProperties device) {
    ChosenLayout chosen =
        layout != null ? ChosenLayout.named(layout) : ChosenLayout.defaultFor(device);
    if (chosen.persistent() == PersistentMemory.ENFORCED) {
      throw new WrongUseException(
          chosen.name() + ": persistent = \"enforced\" can't be replayed yet");
    }
    chosen.resolve(device);
    return chosen;
  }

  /** Begins to describe a replay of the trace. */
  Replay.Builder replay(ChosenDevice device, ChosenLayout pools) {
    return Replay.of(trace)
        .devices(device::open)
        .deviceName(device.name())
        .pools(pools.pools())
        .layoutName(pools.name())
        .lenient(lenient);
  }
}
