/** Allocators behind one door, so that one harness measures them all. */
@NullMarked
package io.cistern.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
