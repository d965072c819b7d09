package io.cistern.pool;

import io.cistern.layout.ResolvedPool;
import io.cistern.page.Invariant;
import io.cistern.page.SliceTable;
import io.cistern.page.WholeBlocks;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A pool whose slices are whole driver blocks; which free block serves a request is the kind's. */
abstract sealed class WholeBlockPool extends Pool
    permits ExclusivePool, DirectPool, PersistentPool {

  private final WholeBlocks blocks;

  WholeBlockPool(int index, ResolvedPool config, OptionalLong period, Ground ground) {
    super(index, config, period, ground);
    this.blocks =
        new WholeBlocks(config.maxAcceptedByteSize(), ground.granule(), ground.firstGeneration());
  }

  final WholeBlocks blocks() {
    return blocks;
  }

  /** Makes a block and a live slice that is all of it. */
  final int growBy(long byteSize) {
    StorageBlock block = makeBlock(byteSize);
    int slice = blocks.add(byteSize);
    file(slice, block);
    return slice;
  }

  @Override
  final void give(int slice, long requestCount) {
    blocks.give(slice, requestCount);
  }

  @Override
  final int longestIdle() {
    return blocks.longestFree();
  }

  @Override
  final int lastIdle() {
    return blocks.lastFreed();
  }

  @Override
  final long idleSince(int page) {
    return blocks.freeSince(page);
  }

  @Override
  final void touch(int page, long requestCount) {
    blocks.touch(page, requestCount);
  }

  @Override
  void forget(int page) {
    blocks.remove(page);
  }

  @Override
  public final SliceTable slices() {
    return blocks.slices();
  }

  @Override
  public final long largestFree() {
    return blocks.largestFree();
  }

  @Override
  public final long freeByteSize() {
    return blocks.freeByteSize();
  }

  @Override
  public final List<PageSnapshot> pageSnapshots() {
    List<PageSnapshot> snapshots = new ArrayList<>();
    for (int number : blocks.all()) {
      long byteSize = slices().byteSize(number);
      boolean live = slices().isTaken(number);
      long free = live ? 0 : byteSize;
      snapshots.add(new PageSnapshot(byteSize, free, free, live ? 1 : 0));
    }
    return snapshots;
  }

  @Override
  final long checkSlices() {
    long all = blocks.checkInvariants();
    Invariant.check(all == usage().reserved(), "pool", index(), ": blocks of", all);
    return all - blocks.freeByteSize();
  }

  @Override
  public final long visits() {
    return blocks.visits();
  }
}
