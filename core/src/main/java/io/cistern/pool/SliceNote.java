package io.cistern.pool;

import io.cistern.storage.Fence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a slice beyond its record; most slices have none. */
final class SliceNote {

  String tag = "";
  String place = "";

  // The fences that device work on the slice has to pass, while it is live.
  final List<Fence> fences = new ArrayList<>(1);

  // The slice's place among the pending ones, while it is one.
  PendingFrees.@Nullable Entry pending;

  // Whether it is pending because it rests, and for nothing else.
  boolean rests;

  private static final int FENCES_KEPT_UNASKED = 8;

  void addFence(Fence fence) {
    if (fences.size() >= FENCES_KEPT_UNASKED) {
      // Data that is used for long must not gather the fences of all its uses.
      fences.removeIf(Fence::hasPassed);
    }
    if (!fences.contains(fence)) {
      fences.add(fence);
    }
  }
}
