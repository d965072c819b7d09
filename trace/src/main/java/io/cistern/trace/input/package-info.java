/** The bytes of a file: unpacked, as lines of text, as JSON. Says where they are damaged. */
@NullMarked
package io.cistern.trace.input;

import org.jspecify.annotations.NullMarked;
