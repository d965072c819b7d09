package io.cistern.trace.replay;

import io.cistern.layout.ResolvedPool;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.StorageBlock;
import io.cistern.trace.Origin;
import io.cistern.trace.picture.Curves;
import io.cistern.trace.picture.MemoryMap;
import io.cistern.trace.picture.MomentBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Records a map in the course of a pass: follows every slice and page, and at some rows looks at
 * all of them, in O(n log n).
 */
final class MapRecording implements Watching {

  /** Those beside the peaks. */
  static final int MOMENTS = 96;

  /** A page that the driver made. */
  private static final class Page {
    final long number;
    final long byteSize;
    int pool = -1;
    long base;

    Page(long number, long byteSize) {
      this.number = number;
      this.byteSize = byteSize;
    }
  }

  private final MemoryMap map;
  private final LargestAllocations largest = new LargestAllocations();
  private final NavigableSet<Long> moments;

  private long byteAlignment;
  private final List<Integer> streams = new ArrayList<>();
  private final List<MemoryManager> managers = new ArrayList<>();

  // By the map's number of the pool: whether a page of it holds no more than one slice.
  private final BitSet forOneSlice = new BitSet();
  private int poolsSeen;

  private final IdentityHashMap<StorageBlock, Page> pages = new IdentityHashMap<>();
  private long made;

  // By slot; a size of 0: nothing is live there that takes room.
  private @Nullable Page[] pageOf = new Page[0];
  private long[] byteOffsets = new long[0];
  private long[] byteSizes = new long[0];
  private int[] tags = new int[0];

  private long rows;
  private long timeMicros;

  /**
   * Begins.
   *
   * @param map where the moments go
   * @param curves those of the whole trace
   */
  MapRecording(MemoryMap map, Curves curves) {
    this.map = map;
    this.moments = moments(curves);
  }

  /** Even steps, and the peaks. */
  private static NavigableSet<Long> moments(Curves curves) {
    NavigableSet<Long> rows = new TreeSet<>();
    LongStream.rangeClosed(1, MOMENTS)
        .map(i -> Math.max(1, Math.round((double) curves.rows() * i / MOMENTS)))
        .forEach(rows::add);
    for (Curves.Series series : List.of(Curves.Series.RESERVED, Curves.Series.IN_USE)) {
      rows.add(curves.peakRow(series));
    }
    return rows;
  }

  @Override
  public void begins(DeviceProperties device) {
    byteAlignment = device.byteAlignment();
  }

  @Override
  public boolean wantsOrigins() {
    return true;
  }

  @Override
  public void opened(int index, int stream, MemoryManager manager) {
    while (streams.size() <= index) {
      streams.add(stream);
      managers.add(manager);
    }
    streams.set(index, stream);
    managers.set(index, manager);
  }

  @Override
  public void makeRoom(int slots) {
    if (byteSizes.length < slots) {
      pageOf = Arrays.copyOf(pageOf, slots);
      byteOffsets = Arrays.copyOf(byteOffsets, slots);
      byteSizes = Arrays.copyOf(byteSizes, slots);
      tags = Arrays.copyOf(tags, slots);
    }
  }

  @Override
  public void made(StorageBlock block) {
    pages.put(block, new Page(++made, block.byteSize()));
  }

  @Override
  public void givenBack(StorageBlock block) {
    pages.remove(block);
  }

  @Override
  public void served(Chunk chunk, int row, Allocation handle) {
    int pool = pool(chunk.streams[row], handle.pool());
    int slot = chunk.slots[row];
    byteSizes[slot] = chunk.byteSizes[row];
    largest.served(chunk, row, rows + 1, pool);
    if (byteSizes[slot] == 0) {
      return;
    }
    Page page = pages.get(handle.block());
    if (page == null) {
      throw new IllegalStateException(
          "the driver did not make the block of line " + chunk.lines[row]);
    }
    page.pool = pool;
    pageOf[slot] = page;
    byteOffsets[slot] = handle.byteOffset();
    Origin origin = chunk.origins[row];
    tags[slot] = origin == null ? MemoryMap.NO_TAG : map.tag(origin.tag());
  }

  private int pool(int streamIndex, int index) {
    int pool = map.pool(streams.get(streamIndex), index);
    if (pool == poolsSeen) {
      poolsSeen++;
      forOneSlice.set(
          pool,
          index >= 0
              && !(managers.get(streamIndex).layout().pools().get(index)
                  instanceof ResolvedPool.Sliced));
    }
    return pool;
  }

  @Override
  public void leaving(int slot, Allocation handle) {
    byteSizes[slot] = 0;
    pageOf[slot] = null;
  }

  @Override
  public void done(Chunk chunk, int row) {
    rows++;
    timeMicros = chunk.timesMicros[row];
    if (chunk.byteSizes[row] == Chunk.FREE) {
      largest.freed(chunk.slots[row], rows, timeMicros);
    }
    if (!moments.isEmpty() && moments.first() <= rows) {
      moments.pollFirst();
      addMoment();
    }
  }

  /** The pass is over. */
  void end() {
    map.setLargest(largest.inOrder());
  }

  private void addMoment() {
    List<Page> inOrder = pagesInOrder();
    long reserved = 0;
    for (Page page : inOrder) {
      page.base = reserved;
      reserved += page.byteSize;
    }
    long[] places = new long[byteSizes.length];
    int count = 0;
    for (int slot = 0; slot < byteSizes.length; slot++) {
      Page page = pageOf[slot];
      if (page != null) {
        places[count++] = page.base + byteOffsets[slot];
      }
    }
    Arrays.sort(places, 0, count);
    int[] slots = new int[count];
    for (int slot = 0; slot < byteSizes.length; slot++) {
      Page page = pageOf[slot];
      if (page != null) {
        slots[Arrays.binarySearch(places, 0, count, page.base + byteOffsets[slot])] = slot;
      }
    }
    MomentBuilder builder = new MomentBuilder(reserved, inOrder.size(), count);
    int next = 0;
    for (Page page : inOrder) {
      builder.page(
          page.number, page.pool, page.byteSize, page.pool >= 0 && forOneSlice.get(page.pool));
      for (; next < count && places[next] < page.base + page.byteSize; next++) {
        long byteSize = byteSizes[slots[next]];
        builder.slice(places[next] - page.base, byteSize, aligned(byteSize), tags[slots[next]]);
      }
    }
    map.add(builder.end(rows, timeMicros));
  }

  private long aligned(long byteSize) {
    return (byteSize + byteAlignment - 1) & -byteAlignment;
  }

  private List<Page> pagesInOrder() {
    List<MemoryMap.PoolOfStream> pools = map.pools();
    Comparator<Page> byPool =
        Comparator.comparing(
            page ->
                page.pool < 0
                    ? new MemoryMap.PoolOfStream(Integer.MAX_VALUE, 0)
                    : pools.get(page.pool),
            Comparator.comparingInt(MemoryMap.PoolOfStream::stream)
                .thenComparingInt(MemoryMap.PoolOfStream::index));
    return pages.values().stream().sorted(byPool.thenComparingLong(page -> page.number)).toList();
  }
}
