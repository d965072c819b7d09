/**
 * Scripts: programs of pool operations as text, {@linkplain io.cistern.trace.script.Script read}
 * and run step by step with everything checked that shows from outside.
 */
@NullMarked
package io.cistern.trace.script;

import org.jspecify.annotations.NullMarked;
