/** HIP devices ({@link io.cistern.hip.HipStorage}). */
@NullMarked
package io.cistern.hip;

import org.jspecify.annotations.NullMarked;
