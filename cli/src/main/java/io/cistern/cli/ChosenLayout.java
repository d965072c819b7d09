package io.cistern.cli;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.config.PersistentMemory;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.toml.LayoutFileException;
import io.cistern.toml.LayoutSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A layout by name or from a file.
 *
 * @param name the layout as the user named it
 * @param pools the pools
 * @param source the file, if it is in one
 */
record ChosenLayout(String name, MemoryPoolsConfig pools, Optional<LayoutSource> source) {

  /**
   * A preset, or the layout in a file.
   *
   * @throws WrongUseException if there is neither
   * @throws LayoutFileException if the file is no layout file
   */
  static ChosenLayout named(String name) {
    Optional<Preset> preset = Preset.named(name);
    if (preset.isPresent()) {
      return new ChosenLayout(name, preset.get(), Optional.empty());
    }
    // An empty path is the present folder.
    if (name.isEmpty() || !Files.exists(Path.of(name))) {
      String presets =
          Arrays.stream(Preset.values()).map(Preset::text).collect(Collectors.joining(", "));
      throw new WrongUseException(
          "unknown layout \"" + name + "\": it is one of " + presets + ", or an existing file");
    }
    LayoutSource source = LayoutSource.read(Path.of(name));
    return new ChosenLayout(name, source.layout().pools(), Optional.of(source));
  }

  /** The layout that a device gets when nothing is said. */
  static ChosenLayout defaultFor(DeviceProperties device) {
    MemoryPoolsConfig pools = PoolLayout.defaultFor(device);
    return new ChosenLayout(pools.toString(), pools, Optional.empty());
  }

  /** When the persistent pool serves. */
  PersistentMemory persistent() {
    return source.map(file -> file.layout().persistent()).orElse(PersistentMemory.ENABLED);
  }

  /**
   * What the layout is on a device.
   *
   * @throws LayoutException if it can't work there
   * @throws LayoutFileException if it can't work there, with the place in the file
   */
  PoolLayout resolve(DeviceProperties device) {
    return source.isPresent() ? source.get().resolve(device) : PoolLayout.resolve(pools, device);
  }

  /**
   * Refuses what can't be replayed, so that a fault shows before the work and with its place.
   *
   * @throws WrongUseException if it asks for what replays don't do
   * @throws LayoutException if it can't work on the device
   * @throws LayoutFileException if it can't work there, with the place in the file
   */
  void checkReplayable(DeviceProperties device) {
    if (persistent() == PersistentMemory.ENFORCED) {
      throw new WrongUseException(name + ": persistent = \"enforced\" can't be replayed yet");
    }
    resolve(device);
  }
}
