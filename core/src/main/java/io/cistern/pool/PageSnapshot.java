package io.cistern.pool;

/**
 * One page at one moment.
 *
 * @param byteSize the page's size in bytes
 * @param free bytes of its free slices together
 * @param largestFree bytes of its largest free slice
 * @param slices its live slices
 */
public record PageSnapshot(long byteSize, long free, long largestFree, int slices) {}
