/**
 * What is watched over the bytes of slices on request: poison, red zones, zeroing, quarantine.
 * Knows blocks and offsets, nothing of pools. Not exported.
 */
@NullMarked
package io.cistern.safety;

import org.jspecify.annotations.NullMarked;
