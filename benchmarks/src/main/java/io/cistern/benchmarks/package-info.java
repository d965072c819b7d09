/** Benchmarks of lifetimes and of drivers; run by hand. */
@NullMarked
package io.cistern.benchmarks;

import org.jspecify.annotations.NullMarked;
