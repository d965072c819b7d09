package io.cistern.layout;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import java.util.Optional;
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
   * The entry that means this pool on the same device. It resolves to an equal pool but where a
   * preset's formula gave a largest slice that is no multiple of the device's alignment: an entry
   * can't say that, and the slice is rounded up.
   */
  MemoryPoolConfig toEntry();

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

    @Override
    public MemoryPoolConfig.Exclusive toEntry() {
      return new MemoryPoolConfig.Exclusive(MemorySize.of(maxAllocByteSize), deallocPeriod);
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

    @Override
    public MemoryPoolConfig.Direct toEntry() {
      return new MemoryPoolConfig.Direct(size(reclaimAtByteSize));
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

    @Override
    public MemoryPoolConfig.Sliced toEntry() {
      return new MemoryPoolConfig.Sliced(
          MemorySize.of(pageByteSize),
          Optional.of(MemorySize.of(maxSliceByteSize)),
          size(maxPoolByteSize()),
          deallocPeriod);
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

  private static Optional<MemorySize> size(OptionalLong bytes) {
    return bytes.isPresent() ? Optional.of(MemorySize.of(bytes.getAsLong())) : Optional.empty();
  }
}
