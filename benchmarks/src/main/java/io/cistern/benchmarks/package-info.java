/** Benchmarks; none is run by the build. */
@NullMarked
package io.cistern.benchmarks;

import org.jspecify.annotations.NullMarked;
