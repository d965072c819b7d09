/** What was found in a trace or by a replay, as records and as JSON. */
@NullMarked
package io.cistern.trace.report;

import org.jspecify.annotations.NullMarked;
