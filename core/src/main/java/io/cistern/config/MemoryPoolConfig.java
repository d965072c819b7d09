package io.cistern.config;

import io.cistern.MemorySize;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One pool as a user wants it: a value, not yet checked against a device.
 *
 * <p>Faults in the values (a page of zero bytes, a slice larger than its page, …) are found when
 * the list is resolved for a device, with an error that carries the values.
 */
public sealed interface MemoryPoolConfig {

  /**
   * Every allocation gets a page of its own.
   *
   * @param maxAllocSize the largest request that this pool accepts; 0 is a pool for zero-sized
   *     requests alone
   * @param deallocPeriod a page unused for this many allocations of the whole manager goes back to
   *     the driver; empty: never by itself
   */
  record Exclusive(MemorySize maxAllocSize, OptionalLong deallocPeriod)
      implements MemoryPoolConfig {

    /**
     * Makes an entry.
     *
     * @throws NullPointerException if an argument is null
     */
    public Exclusive {
      Objects.requireNonNull(maxAllocSize, "maxAllocSize");
      Objects.requireNonNull(deallocPeriod, "deallocPeriod");
    }

    /** This entry with another largest request. */
    public Exclusive withMaxAllocSize(MemorySize size) {
      return new Exclusive(size, deallocPeriod);
    }

    /** This entry, its pages going back after {@code requests} allocations without use. */
    public Exclusive withDeallocPeriod(long requests) {
      return new Exclusive(maxAllocSize, OptionalLong.of(requests));
    }
  }

  /**
   * Every allocation is a driver allocation of its own, sized to the request and reused by exact
   * (aligned) size. It accepts every size, so entries after it serve nothing.
   *
   * @param reclaimAt a watermark on the pool's reserved bytes: a request that would cross it first
   *     returns free slices to the driver, longest-free first; empty: only an explicit cleanup
   *     returns memory
   */
  record Direct(Optional<MemorySize> reclaimAt) implements MemoryPoolConfig {

    /**
     * Makes an entry.
     *
     * @throws NullPointerException if the argument is null
     */
    public Direct {
      Objects.requireNonNull(reclaimAt, "reclaimAt");
    }

    /** This entry with a watermark. */
    public Direct withReclaimAt(MemorySize size) {
      return new Direct(Optional.of(size));
    }
  }

  /**
   * Allocations are slices of larger pages.
   *
   * @param pageSize the size of each page
   * @param maxSliceSize the largest slice that this pool accepts; empty: the page size
   * @param maxPoolSize a hard cap on the pool's reserved bytes, in whole pages; empty: it grows
   *     without bound
   * @param deallocPeriod a page without a live slice for this many allocations of the whole manager
   *     goes back to the driver; empty: never by itself
   */
  record Sliced(
      MemorySize pageSize,
      Optional<MemorySize> maxSliceSize,
      Optional<MemorySize> maxPoolSize,
      OptionalLong deallocPeriod)
      implements MemoryPoolConfig {

    /**
     * Makes an entry.
     *
     * @throws NullPointerException if an argument is null
     */
    public Sliced {
      Objects.requireNonNull(pageSize, "pageSize");
      Objects.requireNonNull(maxSliceSize, "maxSliceSize");
      Objects.requireNonNull(maxPoolSize, "maxPoolSize");
      Objects.requireNonNull(deallocPeriod, "deallocPeriod");
    }

    /** This entry with another page size. */
    public Sliced withPageSize(MemorySize size) {
      return new Sliced(size, maxSliceSize, maxPoolSize, deallocPeriod);
    }

    /** This entry with another largest slice. */
    public Sliced withMaxSliceSize(MemorySize size) {
      return new Sliced(pageSize, Optional.of(size), maxPoolSize, deallocPeriod);
    }

    /** This entry with a cap on the pool. */
    public Sliced withMaxPoolSize(MemorySize size) {
      return new Sliced(pageSize, maxSliceSize, Optional.of(size), deallocPeriod);
    }

    /** This entry, its pages going back after {@code requests} allocations without use. */
    public Sliced withDeallocPeriod(long requests) {
      return new Sliced(pageSize, maxSliceSize, maxPoolSize, OptionalLong.of(requests));
    }
  }

  /** A sliced pool that takes slices up to its page size, grows, and keeps its pages. */
  static Sliced sliced(MemorySize pageSize) {
    return new Sliced(pageSize, Optional.empty(), Optional.empty(), OptionalLong.empty());
  }

  /** An exclusive pool that keeps its pages. */
  static Exclusive exclusive(MemorySize maxAllocSize) {
    return new Exclusive(maxAllocSize, OptionalLong.empty());
  }

  /** A direct pool without a watermark. */
  static Direct direct() {
    return new Direct(Optional.empty());
  }
}
