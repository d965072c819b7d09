/** Numbers of many rows, and the ids that are live, in arrays within a bound on memory. */
@NullMarked
package io.cistern.trace.table;

import org.jspecify.annotations.NullMarked;
