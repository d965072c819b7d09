package io.cistern.trace.search;

import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import java.util.List;

/**
 * A layout to try.
 *
 * @param family what it is, or what it came from, in a few words
 * @param searched whether a search has changed it
 * @param layout its pools, as explicit entries
 */
record Candidate(String family, boolean searched, PoolLayout layout) {

  static Candidate of(
      String family, boolean searched, List<MemoryPoolConfig> pools, DeviceProperties device) {
    return new Candidate(
        family, searched, PoolLayout.resolve(new MemoryPoolsConfig.Explicit(pools), device));
  }

  String name() {
    return searched ? family + ", searched" : family;
  }
}
