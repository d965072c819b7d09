package io.cistern.trace.search;

import io.cistern.config.MemoryPoolsConfig;

/**
 * A layout that is tried.
 *
 * @param name how reports name it
 * @param pools the pools of each stream
 */
public record NamedLayout(String name, MemoryPoolsConfig pools) {}
