package io.cistern.benchmarks.suite;

import java.util.SplittableRandom;

/**
 * Which place is replaced next, and by how many bytes: drawn before anything is measured, the same
 * for all allocators.
 */
final class Draws {

  private static final int LEAST = 1 << 16;
  private static final long SEED = 20_250_916;

  final int[] slots;
  final int[] byteSizes;

  /**
   * Draws.
   *
   * @param live the places
   * @param thread the number of the thread, each of which has draws of its own
   */
  Draws(int live, SizeRange range, int thread) {
    // A power of two, for a cheap index; long enough that nearly all places come up.
    int count = Math.max(LEAST, Integer.highestOneBit(live) * 4);
    SplittableRandom random = new SplittableRandom(SEED + thread);
    slots = new int[count];
    byteSizes = new int[count];
    for (int i = 0; i < count; i++) {
      slots[i] = random.nextInt(live);
      byteSizes[i] = range.draw(random);
    }
  }

  /** The most bytes live at once when the draws are used again and again after a filling. */
  long peakLive(int live) {
    int[] current = new int[live];
    long sum = 0;
    for (int slot = 0; slot < live; slot++) {
      current[slot] = byteSizes[slot % byteSizes.length];
      sum += current[slot];
    }
    long peak = sum;
    // What is live repeats itself from the second time on.
    for (int i = 0; i < 2 * slots.length; i++) {
      int draw = i % slots.length;
      sum += byteSizes[draw] - current[slots[draw]];
      current[slots[draw]] = byteSizes[draw];
      peak = Math.max(peak, sum);
    }
    return peak;
  }
}
