package io.cistern.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The pools of a manager: a preset by name, or an explicit list in routing order. */
public sealed interface MemoryPoolsConfig {

  /** Lists of pools that are worked out from the device. */
  enum Preset implements MemoryPoolsConfig {
    /** A ladder of sliced pools, smallest pages first, and an exclusive pool behind it. */
    SUB_SLICES,
    /** Exclusive pools of sizes in geometric progression; for devices that can't share a block. */
    EXCLUSIVE_PAGES;

    /** The name as layout files and the command line write it, such as {@code sub-slices}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The preset that a text names, if one does. */
    public static Optional<Preset> named(String text) {
      return Arrays.stream(values()).filter(preset -> preset.text().equals(text)).findFirst();
    }

    @Override
    public String toString() {
      return text();
    }
  }

  /**
   * The entries as given, in routing order: the first that accepts a size serves it.
   *
   * @param pools the entries; copied
   */
  record Explicit(List<MemoryPoolConfig> pools) implements MemoryPoolsConfig {

    /**
     * Makes a list. An empty one is refused when it is resolved, not here.
     *
     * @throws NullPointerException if the list or an entry is null
     */
    public Explicit {
      pools = List.copyOf(pools);
    }
  }

  /** The {@code sub-slices} preset: the default where a device can share a block. */
  static MemoryPoolsConfig subSlices() {
    return Preset.SUB_SLICES;
  }

  /** The {@code exclusive-pages} preset. */
  static MemoryPoolsConfig exclusivePages() {
    return Preset.EXCLUSIVE_PAGES;
  }

  /** An explicit list of pools, in routing order. */
  static MemoryPoolsConfig of(MemoryPoolConfig... pools) {
    return new Explicit(List.of(pools));
  }
}
