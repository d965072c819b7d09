/** Checks a real GPU, and prints what it found as JSON. */
@NullMarked
package io.cistern.gpu.check;

import org.jspecify.annotations.NullMarked;
