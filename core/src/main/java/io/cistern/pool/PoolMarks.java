package io.cistern.pool;

/**
 * What a pool has done since its layout was installed.
 *
 * @param pages pages and blocks held
 * @param pagesPeak the most held at once
 * @param pagesUnmapped those held that the driver knows nothing of
 * @param largestAlloc the largest request served, in bytes
 * @param served the requests served
 * @param spills the requests that went on to a later pool because this one was full
 * @param driverAllocations blocks that the driver made
 * @param driverFrees blocks that the driver took back
 */
public record PoolMarks(
    long pages,
    long pagesPeak,
    long pagesUnmapped,
    long largestAlloc,
    long served,
    long spills,
    long driverAllocations,
    long driverFrees) {}
