package io.cistern.conformance.vectors;

/**
 * A part of a recording that does not bind.
 *
 * @param where the step, or which figures
 * @param why the reason
 */
record Note(String where, String why) {}
