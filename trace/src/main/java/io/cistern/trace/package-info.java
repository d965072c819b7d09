/** The words for a trace of allocations: its rows, its formats, what may be wrong with it. */
@NullMarked
package io.cistern.trace;

import org.jspecify.annotations.NullMarked;
