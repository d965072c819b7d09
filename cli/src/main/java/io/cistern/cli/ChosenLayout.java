package io.cistern.cli;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A layout by name or from a file.
 *
 * @param name the layout as the user named it
 * @param pools the pools
 */
record ChosenLayout(String name, MemoryPoolsConfig pools) {

  /**
   * A preset, or the layout in a file.
   *
   * @throws WrongUseException if there is neither
   */
  static ChosenLayout named(String name) {
    return Preset.named(name)
        .map(preset -> new ChosenLayout(name, preset))
        .orElseGet(() -> new ChosenLayout(name, inFile(name)));
  }

  private static MemoryPoolsConfig inFile(String name) {
    Path file = Path.of(name);
    if (!Files.isRegularFile(file)) {
      String presets =
          Arrays.stream(Preset.values()).map(Preset::text).collect(Collectors.joining(", "));
      throw new WrongUseException(
          "unknown layout \"" + name + "\": it is one of " + presets + ", and no file");
    }
    throw new WrongUseException("layout files can't be read yet: " + file);
  }
}
