/** Pictures of a replay: curves, the map of memory, and the page that shows them. */
@NullMarked
package io.cistern.trace.picture;

import org.jspecify.annotations.NullMarked;
