/** Plain data of Python pickles; no code of theirs is looked up or run. */
@NullMarked
package io.cistern.trace.pickle;

import org.jspecify.annotations.NullMarked;
