/** Allocators side by side: the workloads, the run, and the page that it writes. */
@NullMarked
package io.cistern.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
