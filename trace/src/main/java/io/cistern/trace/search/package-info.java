/**
 * Layouts compared, and {@linkplain io.cistern.trace.search.LayoutSearch searched} by replaying.
 */
@NullMarked
package io.cistern.trace.search;

import org.jspecify.annotations.NullMarked;
