/** Allocation traces: {@linkplain io.cistern.trace.Traces readers}, replay, reports. */
@NullMarked
package io.cistern.trace;

import org.jspecify.annotations.NullMarked;
