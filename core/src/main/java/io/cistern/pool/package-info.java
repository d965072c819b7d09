/** Policy: how each kind of pool turns requests into slices, and slices into driver blocks. */
@NullMarked
package io.cistern.pool;

import org.jspecify.annotations.NullMarked;
