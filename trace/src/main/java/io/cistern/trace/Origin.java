package io.cistern.trace;

/**
 * Where an allocation came from, as far as its trace tells.
 *
 * @param tag a short name that allocations are grouped by, such as the line of code that asked or
 *     what the memory is for
 * @param stack the calls that led there, one a line, the innermost first; empty where the trace has
 *     none
 */
public record Origin(String tag, String stack) {}
