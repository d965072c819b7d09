/**
 * For tests of CUDA and HIP: a driver over host memory that is built from C ({@link
 * io.cistern.gpu.testkit.FakeDriver}), and the tests that both pass on it.
 */
@NullMarked
package io.cistern.gpu.testkit;

import org.jspecify.annotations.NullMarked;
