package io.cistern.trace;

import java.io.InputStream;

/**
 * What a reader is opened on.
 *
 * @param in the unpacked bytes
 * @param options what was asked for; its format is settled
 * @param faults what becomes of bad rows
 */
record TraceInput(InputStream in, ReadOptions options, TraceFaults faults) {}
