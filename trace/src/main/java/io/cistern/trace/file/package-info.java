/** Trace files: {@linkplain io.cistern.trace.file.Traces opened}, looked at, written. */
@NullMarked
package io.cistern.trace.file;

import org.jspecify.annotations.NullMarked;
