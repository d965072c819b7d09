package io.cistern.trace.format;

import io.cistern.trace.TraceFaults;
import java.io.InputStream;
import java.util.Optional;

/**
 * What a reader is opened on.
 *
 * @param in the unpacked bytes
 * @param device the device whose memory was asked for; empty: the one with the most events
 * @param origins whether to read where allocations came from
 * @param faults what becomes of bad rows
 */
public record TraceInput(
    InputStream in, Optional<String> device, boolean origins, TraceFaults faults) {}
