package io.cistern.trace.script;

import io.cistern.MemoryUsage;

/**
 * What a script came to.
 *
 * @param steps the steps it took
 * @param served the requests that were served
 * @param refused the requests that were refused
 * @param usage what memory was used for when the last step was done; peaks are of all streams
 */
public record ScriptResult(long steps, long served, long refused, MemoryUsage usage) {}
