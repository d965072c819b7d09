package io.cistern.layout;

import io.cistern.config.MemoryPoolsConfig.Preset;

/** Why a list of pools can't work on a device, with the values that tell. Entries count from 0. */
public sealed interface LayoutFault {

  /** What is wrong, in a sentence. */
  String message();

  /** The list has no entry. */
  record EmptyList() implements LayoutFault {
    @Override
    public String message() {
      return "the list of pools is empty; a layout needs at least one";
    }
  }

  /**
   * The list has more entries than a manager serves.
   *
   * @param count the entries
   * @param limit the most that are possible
   */
  record TooManyPools(int count, int limit) implements LayoutFault {
    @Override
    public String message() {
      return "the list has " + count + " pools; at most " + limit + " are possible";
    }
  }

  /**
   * A size is zero that must not be.
   *
   * @param entry the entry
   * @param field the field as layout files name it
   */
  record ZeroSize(int entry, String field) implements LayoutFault {
    @Override
    public String message() {
      return "pool " + entry + ": " + field + " is 0; it must be at least 1 byte";
    }
  }

  /**
   * The largest slice does not fit its page.
   *
   * @param entry the entry
   * @param pageByteSize the page size after rounding
   * @param maxSliceByteSize the largest slice after rounding
   * @param byteAlignment the alignment that both were rounded up to
   */
  record SliceLargerThanPage(
      int entry, long pageByteSize, long maxSliceByteSize, long byteAlignment)
      implements LayoutFault {
    @Override
    public String message() {
      return "pool "
          + entry
          + ": max_slice_size "
          + maxSliceByteSize
          + " is larger than page_size "
          + pageByteSize
          + " (both rounded up to alignment "
          + byteAlignment
          + ")";
    }
  }

  /**
   * The cap does not hold one page.
   *
   * @param entry the entry
   * @param pageByteSize the page size after rounding
   * @param maxPoolByteSize the cap as given
   * @param byteAlignment the alignment that the page was rounded up to
   */
  record CapSmallerThanPage(int entry, long pageByteSize, long maxPoolByteSize, long byteAlignment)
      implements LayoutFault {
    @Override
    public String message() {
      return "pool "
          + entry
          + ": max_pool_size "
          + maxPoolByteSize
          + " holds no page of "
          + pageByteSize
          + " bytes (page_size rounded up to alignment "
          + byteAlignment
          + ")";
    }
  }

  /**
   * A value is outside of what it may be: a negative period, or a size that rounding takes above
   * 2<sup>63</sup>-1.
   *
   * @param entry the entry
   * @param field the field as layout files name it
   * @param value the value as given
   */
  record OutOfRange(int entry, String field, long value) implements LayoutFault {
    @Override
    public String message() {
      return "pool "
          + entry
          + ": "
          + field
          + " "
          + value
          + (value < 0 ? " is negative" : " leaves the range up to 2^63-1 when rounded up");
    }
  }

  /**
   * The device's alignment is no power of two.
   *
   * @param value the alignment
   */
  record BadAlignment(long value) implements LayoutFault {
    @Override
    public String message() {
      return "the alignment must be a power of two, at least 1, not " + value;
    }
  }

  /**
   * A sliced entry on a device that can't share a block between slices.
   *
   * @param entry the entry
   */
  record SlicedPoolsUnavailable(int entry) implements LayoutFault {
    @Override
    public String message() {
      return "pool "
          + entry
          + ": sliced pools are not available, the device can't share a block between slices";
    }
  }

  /**
   * A preset with sliced entries on a device that can't share a block between slices.
   *
   * @param preset the preset
   */
  record PresetUnavailable(Preset preset) implements LayoutFault {
    @Override
    public String message() {
      return "the preset "
          + preset
          + " is not available, the device can't share a block between slices";
    }
  }
}
