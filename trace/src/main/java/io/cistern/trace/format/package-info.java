/** One reader a format, and how formats are told apart. */
@NullMarked
package io.cistern.trace.format;

import org.jspecify.annotations.NullMarked;
