/** The words that every other package uses: sizes, usage, and the exceptions. */
@NullMarked
package io.cistern;

import org.jspecify.annotations.NullMarked;
