package io.cistern.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A slice from its request until it can be used again. */
final class Region {

  /** No device work has more fences than this before those that have passed are dropped. */
  private static final int FENCES_KEPT_UNASKED = 8;

  final ModelPool pool;
  final @Nullable ModelPage page; // null if it is zero-sized
  final long offset;
  final long byteSize;
  final long padded;
  final long taken;
  final List<StepFence> fences = new ArrayList<>();
  int handles;
  int holds;

  /** What it waits for, while it is pending. */
  ModelPending.@Nullable Waiting waiting;

  Region(
      ModelPool pool,
      @Nullable ModelPage page,
      long offset,
      long byteSize,
      long padded,
      long taken) {
    this.pool = pool;
    this.page = page;
    this.offset = offset;
    this.byteSize = byteSize;
    this.padded = padded;
    this.taken = taken;
  }

  void usedUntil(StepFence fence, ModelDevice device) {
    if (fences.size() >= FENCES_KEPT_UNASKED) {
      fences.removeIf(device::ask);
    }
    if (!fences.contains(fence)) {
      fences.add(fence);
    }
  }
}
