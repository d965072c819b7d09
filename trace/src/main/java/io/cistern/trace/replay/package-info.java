/** Traces {@linkplain io.cistern.trace.replay.Replay replayed} on layouts of pools, and plans. */
@NullMarked
package io.cistern.trace.replay;

import org.jspecify.annotations.NullMarked;
