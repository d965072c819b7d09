package io.cistern.layout;

import java.util.OptionalLong;

/** One pool as it works on a device: an entry with its sizes rounded, in bytes. */
public sealed interface ResolvedPool {

  /** Whether this pool accepts a request of a size in bytes. */
  boolean accepts(long byteSize);

  /** The largest request in bytes that this pool accepts. */
  long maxAcceptedByteSize();

  /** Whether the pool is a capped one, which passes requests on when it is full. */
  default boolean isCapped() {
    return false;
  }

  /**
   * A pool that gives every allocation its own page.
   *
   * @param maxAllocByteSize the largest request in bytes
   * @param deallocPeriod how many requests a page may stay unused; empty: for ever
   */
  record Exclusive(long maxAllocByteSize, OptionalLong deallocPeriod) implements ResolvedPool {
    @Override
    public boolean accepts(long byteSize) {
      return byteSize <= maxAllocByteSize;
    }

    @Override
    public long maxAcceptedByteSize() {
      return maxAllocByteSize;
    }
  }

  /**
   * A pool that asks the driver for each size.
   *
   * @param reclaimAtByteSize the watermark on reserved bytes; empty: none
   */
  record Direct(OptionalLong reclaimAtByteSize) implements ResolvedPool {
    @Override
    public boolean accepts(long byteSize) {
      return true;
    }

    @Override
    public long maxAcceptedByteSize() {
      return Long.MAX_VALUE;
    }
  }

  /**
   * A pool that slices pages.
   *
   * @param pageByteSize the size of each page in bytes
   * @param maxSliceByteSize the largest slice in bytes, near-page sizes of uncapped pools aside
   * @param maxPages the most pages; empty: no cap
   * @param deallocPeriod how many requests a page may stay unused; empty: for ever
   */
  record Sliced(
      long pageByteSize, long maxSliceByteSize, OptionalLong maxPages, OptionalLong deallocPeriod)
      implements ResolvedPool {

    /** An uncapped pool takes a larger slice if less than one in this many bytes stays unused. */
    private static final int NEAR_PAGE_SHARE = 5;

    @Override
    public boolean accepts(long byteSize) {
      return byteSize <= maxSliceByteSize
          || (!isCapped() && byteSize >= nearPageByteSize() && byteSize <= pageByteSize);
    }

    @Override
    public long maxAcceptedByteSize() {
      return isCapped() ? maxSliceByteSize : pageByteSize;
    }

    @Override
    public boolean isCapped() {
      return maxPages.isPresent();
    }

    /** The smallest near-page size: {@code (page - size) * 5 < page}, without leaving the range. */
    public long nearPageByteSize() {
      return pageByteSize - (pageByteSize - 1) / NEAR_PAGE_SHARE;
    }

    /** The cap in whole pages, in bytes; empty: no cap. */
    public OptionalLong maxPoolByteSize() {
      return isCapped()
          ? OptionalLong.of(maxPages.getAsLong() * pageByteSize)
          : OptionalLong.empty();
    }
  }
}
