package io.cistern;

/**
 * What memory is used for at one moment, of one pool or of all pools together.
 *
 * <p>Always {@code inUse + padding + pending <= reserved}. Peaks are the largest values since the
 * layout was installed; the peak of a total is the largest sum at one moment, not the sum of peaks.
 *
 * @param allocations live slices, zero-sized ones included
 * @param inUse requested bytes of live slices, without padding
 * @param padding bytes that rounding live slices up to the device's alignment costs
 * @param reserved bytes of all pages and blocks that are held
 * @param pending aligned bytes of closed slices that device work still keeps out of reach
 * @param pinned the share of {@code inUse} that captures alone hold
 * @param allocationsPeak the largest {@code allocations}
 * @param inUsePeak the largest {@code inUse}
 * @param paddingPeak the largest {@code padding}
 * @param reservedPeak the largest {@code reserved}
 */
public record MemoryUsage(
    long allocations,
    MemorySize inUse,
    MemorySize padding,
    MemorySize reserved,
    MemorySize pending,
    MemorySize pinned,
    long allocationsPeak,
    MemorySize inUsePeak,
    MemorySize paddingPeak,
    MemorySize reservedPeak) {}
