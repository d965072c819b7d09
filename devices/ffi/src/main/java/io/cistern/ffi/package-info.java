/** Libraries, their functions as method handles, and error codes as names and numbers. */
@NullMarked
package io.cistern.ffi;

import org.jspecify.annotations.NullMarked;
