package io.cistern.model;

import io.cistern.storage.StorageBlock;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A page: what is on it by offset, and since when nothing is. */
final class ModelPage {

  final int number;
  final long byteSize;

  /** The driver's block; null while it is not mapped. */
  @Nullable StorageBlock block;

  /** Live and pending slices by offset. */
  final TreeMap<Long, Region> taken = new TreeMap<>();

  /** The request count at which it became idle. */
  long idleSince;

  /** Where it stands among idle pages, the longest idle first. */
  long idleOrder;

  /** Where its slice stands among free ones, if it is a single slice. */
  long freedOrder;

  /** What was last asked for, if it is a single slice. */
  long lastByteSize;

  ModelPage(int number, long byteSize, @Nullable StorageBlock block) {
    this.number = number;
    this.byteSize = byteSize;
    this.block = block;
  }

  boolean isIdle() {
    return taken.isEmpty();
  }

  /** The smallest free run of at least some bytes; -1 if there is none. */
  long smallestHole(long atLeast) {
    long best = -1;
    long end = 0;
    for (Region region : taken.values()) {
      best = better(best, region.offset - end, atLeast);
      end = region.offset + region.taken;
    }
    return better(best, byteSize - end, atLeast);
  }

  private static long better(long best, long hole, long atLeast) {
    return hole >= atLeast && (best < 0 || hole < best) ? hole : best;
  }

  /** Whether there is free room at an aligned place. */
  boolean hasRoom(long length, long alignment) {
    long end = 0;
    for (Region region : taken.values()) {
      if (alignUp(end, alignment) + length <= region.offset) {
        return true;
      }
      end = region.offset + region.taken;
    }
    return alignUp(end, alignment) + length <= byteSize;
  }

  private static long alignUp(long offset, long alignment) {
    return (offset + alignment - 1) & -alignment;
  }

  /** The free run that holds some bytes from an offset on; -1 if they are not free. */
  long holeAround(long offset, long length) {
    Map.Entry<Long, Region> before = taken.floorEntry(offset);
    Map.Entry<Long, Region> after = taken.ceilingEntry(offset);
    long start = before == null ? 0 : before.getKey() + before.getValue().taken;
    long end = after == null ? byteSize : after.getKey();
    return start <= offset && offset + length <= end ? end - start : -1;
  }
}
