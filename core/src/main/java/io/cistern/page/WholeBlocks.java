package io.cistern.page;

import static io.cistern.page.SliceTable.NONE;

import java.util.Arrays;

/**
 * Hands out whole blocks of any size: the bookkeeping behind exclusive and direct pools.
 *
 * <p>A block is a slice that is all of its page, and has the page's number. Free blocks are found
 * by size ({@link FreeIndex}) and by how long they have been free ({@link IdleQueue}); every
 * operation looks at a bounded number of records.
 */
public final class WholeBlocks {

  private final SliceTable slices;
  private final IdleQueue idle = new IdleQueue();
  private final FreeIndex free;

  // The sum of the sizes of the free blocks.
  private long freeByteSize;

  /**
   * Makes an allocator without blocks.
   *
   * @param maxByteSize the largest block in bytes
   * @param granule what every size is a multiple of, in bytes, a power of two
   * @param firstGeneration as for {@link SliceTable}
   */
  public WholeBlocks(long maxByteSize, long granule, int firstGeneration) {
    this.slices = new SliceTable(firstGeneration);
    this.free = new FreeIndex(slices, granule, maxByteSize);
  }

  /** The records, for what is known of a block. */
  public SliceTable slices() {
    return slices;
  }

  /** Adds a block, live; returns its number. */
  public int add(long byteSize) {
    int block = slices.make(NONE, 0, byteSize);
    slices.setPage(block, block);
    slices.nextGeneration(block);
    return block;
  }

  /** Takes a free block away. */
  public void remove(int block) {
    leave(block);
    slices.retire(block);
  }

  /** Takes the smallest free block of at least a size; {@link SliceTable#NONE} if there is none. */
  public int takeAtLeast(long byteSize) {
    return take(free.firstAtLeast(byteSize));
  }

  /** Takes a free block of exactly a size; {@link SliceTable#NONE} if there is none. */
  public int takeExactly(long byteSize) {
    return take(free.exactly(byteSize));
  }

  private int take(int block) {
    if (block != NONE) {
      leave(block);
      slices.nextGeneration(block);
    }
    return block;
  }

  /** Frees a live block. */
  public void give(int block, long requestCount) {
    slices.nextGeneration(block);
    free.add(block);
    idle.add(block, requestCount);
    freeByteSize += slices.byteSize(block);
  }

  /** Makes a free block the one that became free last. */
  public void touch(int block, long requestCount) {
    idle.remove(block);
    idle.add(block, requestCount);
  }

  private void leave(int block) {
    free.remove(block);
    idle.remove(block);
    freeByteSize -= slices.byteSize(block);
  }

  /** The block that has been free longest; {@link SliceTable#NONE} if none is free. */
  public int longestFree() {
    return idle.first();
  }

  /** The block that became free last; {@link SliceTable#NONE} if none is free. */
  public int lastFreed() {
    return idle.last();
  }

  /** The request count at which a free block became free. */
  public long freeSince(int block) {
    return idle.since(block);
  }

  /** Makes a free block live again, as if its request had not ended. */
  public void takeThis(int block) {
    take(block);
  }

  /** The numbers of all blocks; O(blocks). */
  public int[] all() {
    // Slices of 0 bytes are on no page.
    return Arrays.stream(slices.all()).filter(slice -> slices.page(slice) != NONE).toArray();
  }

  /** The bytes of all free blocks. */
  public long freeByteSize() {
    return freeByteSize;
  }

  /** The size of the largest free block in bytes. */
  public long largestFree() {
    return free.largest();
  }

  /**
   * Checks blocks, queue and index. O(blocks).
   *
   * @return the bytes of all blocks
   */
  public long checkInvariants() {
    int freeBlocks = 0;
    long freeBytes = 0;
    long bytes = 0;
    for (int block : all()) {
      boolean isFree = !slices.isTaken(block);
      freeBlocks += isFree ? 1 : 0;
      freeBytes += isFree ? slices.byteSize(block) : 0;
      bytes += slices.byteSize(block);
    }
    Invariant.check(freeBytes == freeByteSize, freeByteSize, "bytes free");
    Invariant.check(idle.checkInvariants() == freeBlocks, freeBlocks, "blocks idle");
    Invariant.check(free.checkInvariants() == freeBlocks, freeBlocks, "blocks indexed");
    return bytes;
  }

  /** How many records the calls so far have looked at to find a block. */
  public long visits() {
    return free.visits();
  }
}
