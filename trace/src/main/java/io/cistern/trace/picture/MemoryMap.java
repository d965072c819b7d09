package io.cistern.trace.picture;

import io.cistern.trace.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where slices lay on pages, at some moments of a replay, and the largest allocations of all. Not
 * safe for many threads.
 */
public final class MemoryMap {

  private final List<PoolOfStream> pools = new ArrayList<>();
  private final Map<String, Integer> tags = new LinkedHashMap<>();
  private final List<Moment> moments = new ArrayList<>();
  private List<Large> largest = List.of();

  /** Makes a map without moments. */
  public MemoryMap() {}

  /**
   * A pool of a stream, which pages belong to.
   *
   * @param stream the stream
   * @param index the pool, by its place in routing order; -1 is the persistent one
   */
  public record PoolOfStream(int stream, int index) {}

  /**
   * A moment. Sizes are in bytes; {@code reserved = inUse + padding + rest + free}.
   *
   * @param row the rows replayed so far
   * @param timeMicros the time of the last of them, in microseconds
   * @param reserved what all pages hold
   * @param inUse what is asked for and live
   * @param padding what rounding that up to the alignment costs
   * @param rest what lies beside a slice that has a page for itself
   * @param free what is free
   * @param largestFree the longest stretch of it
   * @param slices the live slices that take room
   * @param pages the pages
   * @param pageGroups the pages by stream, pool and age; neighbours may be one group
   * @param runs what lies on them, one behind the other, in the same order
   */
  public record Moment(
      long row,
      long timeMicros,
      long reserved,
      long inUse,
      long padding,
      long rest,
      long free,
      long largestFree,
      long slices,
      long pages,
      List<PageGroup> pageGroups,
      List<Run> runs) {

    /** Makes a moment; the lists are copied. */
    public Moment {
      pageGroups = List.copyOf(pageGroups);
      runs = List.copyOf(runs);
    }
  }

  /**
   * A page, or small neighbours of one pool. Sizes are in bytes.
   *
   * @param number the page, or the first of them, in the order in which the driver made them
   * @param pages how many
   * @param pool the pool, by its place in {@link #pools}; -1 if they served nothing yet
   * @param byteSize their size
   * @param inUse what is asked for and live on them
   * @param free what is free on them
   * @param largestFree the longest stretch of it
   * @param slices the live slices on them
   */
  public record PageGroup(
      long number,
      int pages,
      int pool,
      long byteSize,
      long inUse,
      long free,
      long largestFree,
      int slices) {}

  /**
   * A stretch of memory.
   *
   * @param byteSize its length
   * @param sizeClass the class of the size of the slice: n has sizes from 2<sup>n</sup> bytes to
   *     below twice that; {@link #FREE} or {@link #REST} where there is none. Of a stretch that
   *     holds several, the one with most bytes
   * @param tag the tag of the slice, by its place in {@link #tags}; {@link #NO_TAG} if it has none.
   *     Of several as above
   * @param slices the slices in it
   * @param takenByteSize the bytes in it that slices take
   * @param exact whether it is one slice, or no slice, and nothing else
   */
  public record Run(
      long byteSize, int sizeClass, int tag, int slices, long takenByteSize, boolean exact) {}

  /** Stands for the tag of what has none. */
  public static final int NO_TAG = -1;

  /** Stands for the size class of free memory. */
  public static final int FREE = -1;

  /** Stands for the size class of what lies beside a slice that has a page for itself. */
  public static final int REST = -2;

  /**
   * One of the largest allocations.
   *
   * @param byteSize its size in bytes
   * @param id its id in the trace
   * @param line its line in the trace
   * @param pool where it was, by its place in {@link #pools}
   * @param firstRow its row, from 1
   * @param firstMicros the time of that, in microseconds
   * @param lastRow the row of its free; 0 if it had none up to the end
   * @param lastMicros the time of that, in microseconds
   * @param origin where it came from; null if the trace does not tell
   */
  public record Large(
      long byteSize,
      long id,
      long line,
      int pool,
      long firstRow,
      long firstMicros,
      long lastRow,
      long lastMicros,
      @Nullable Origin origin) {}

  /** The number of a pool, which is given one if it has none. O(pools). */
  public int pool(int stream, int index) {
    PoolOfStream pool = new PoolOfStream(stream, index);
    int known = pools.indexOf(pool);
    if (known >= 0) {
      return known;
    }
    pools.add(pool);
    return pools.size() - 1;
  }

  /** The number of a tag, which is given one if it has none. */
  public int tag(String tag) {
    return tags.computeIfAbsent(tag, _ -> tags.size());
  }

  /** The tags, by number; a copy. */
  public List<String> tags() {
    return List.copyOf(tags.keySet());
  }

  /** Adds a moment that comes after the others. */
  public void add(Moment moment) {
    moments.add(moment);
  }

  /** Says what the largest allocations were, the largest first. */
  public void setLargest(List<Large> large) {
    largest = List.copyOf(large);
  }

  /** The pools, by number; a copy. */
  public List<PoolOfStream> pools() {
    return List.copyOf(pools);
  }

  /** The moments; a copy. */
  public List<Moment> moments() {
    return List.copyOf(moments);
  }

  /** The largest allocations, the largest first. */
  public List<Large> largest() {
    return largest;
  }
}
