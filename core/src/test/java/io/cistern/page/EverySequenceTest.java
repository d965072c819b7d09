package io.cistern.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All sequences of takes and gives up to a length, on pages of a few granules, beside a map of
 * which granules are in use. What a small page can show wrong, one of these sequences shows.
 */
class EverySequenceTest {

  /** A take of some granules at an alignment in granules, or a give of the n-th live slice. */
  private record Step(int granules, int alignment, int give) {

    static Step take(int granules, int alignment) {
      return new Step(granules, alignment, -1);
    }

    static Step give(int which) {
      return new Step(0, 0, which);
    }
  }

  /** The allocator after a sequence of steps, and the plain map of the same. */
  private static final class State {

    private final SlicedPages pages;
    private final int granulesPerPage;
    private final int granule;
    private final boolean[][] used;
    private final List<Integer> live = new ArrayList<>();

    State(int pageCount, int granulesPerPage, int granule) {
      this.pages = new SlicedPages((long) granulesPerPage * granule, granule, 0);
      this.granulesPerPage = granulesPerPage;
      this.granule = granule;
      this.used = new boolean[pageCount + 1][granulesPerPage];
      for (int page = 1; page <= pageCount; page++) {
        pages.addPage(page, 0);
      }
    }

    void play(Step step) {
      if (step.give >= 0) {
        int slice = live.remove(/* index */ step.give);
        mark(slice, false);
        int page = pages.slices().page(slice);
        int generation = pages.slices().generation(slice);
        assertThat(pages.give(slice, 0)).isEqualTo(isIdle(page));
        assertThat(pages.slices().isTaken(slice, generation)).isFalse();
        return;
      }
      int smallest = smallestRun(step, false);
      boolean fromUsed = smallest <= granulesPerPage;
      if (!fromUsed) {
        smallest = smallestRun(step, true);
      }
      int slice = pages.take((long) step.granules * granule, (long) step.alignment * granule);
      if (smallest > granulesPerPage) {
        assertThat(slice).as("no room").isEqualTo(SliceTable.NONE);
        return;
      }
      assertThat(slice).as("room").isNotEqualTo(SliceTable.NONE);
      int offset = (int) (pages.slices().offset(slice) / granule);
      boolean[] page = used[pages.slices().page(slice)];
      assertThat(isIdle(pages.slices().page(slice))).as("idle pages last").isEqualTo(!fromUsed);
      int start = offset;
      while (start > 0 && !page[start - 1]) {
        start--;
      }
      assertThat(offset).as("first aligned granule").isEqualTo(aligned(start, step.alignment));
      assertThat(runFrom(page, start)).as("best fit").isEqualTo(smallest);
      assertThat(pages.slices().byteSize(slice)).isEqualTo((long) step.granules * granule);
      mark(slice, true);
      live.add(slice);
    }

    /** The smallest free run with room for a take, on pages in use or on idle ones. */
    private int smallestRun(Step step, boolean onIdle) {
      int smallest = Integer.MAX_VALUE;
      for (int page = 1; page < used.length; page++) {
        if (isIdle(page) != onIdle) {
          continue;
        }
        for (int start = 0; start < granulesPerPage; start += runFrom(used[page], start) + 1) {
          int run = runFrom(used[page], start);
          if (aligned(start, step.alignment) + step.granules <= start + run) {
            smallest = Math.min(smallest, run);
          }
        }
      }
      return smallest;
    }

    private static int aligned(int granules, int alignment) {
      return Math.ceilDiv(granules, alignment) * alignment;
    }

    private static int runFrom(boolean[] page, int start) {
      int end = start;
      while (end < page.length && !page[end]) {
        end++;
      }
      return end - start;
    }

    private boolean isIdle(int page) {
      return runFrom(used[page], 0) == granulesPerPage;
    }

    private void mark(int slice, boolean taken) {
      boolean[] page = used[pages.slices().page(slice)];
      int offset = (int) (pages.slices().offset(slice) / granule);
      int end = offset + (int) (pages.slices().byteSize(slice) / granule);
      for (int at = offset; at < end; at++) {
        assertThat(page[at]).as("in use before").isEqualTo(!taken);
        page[at] = taken;
      }
    }

    void check() {
      long bytes = 0;
      int largest = 0;
      for (int page = 1; page < used.length; page++) {
        for (int at = 0; at < granulesPerPage; at++) {
          bytes += used[page][at] ? granule : 0;
          largest = Math.max(largest, runFrom(used[page], at));
        }
      }
      assertThat(pages.checkInvariants()).isEqualTo(bytes);
      assertThat(pages.largestFree()).isEqualTo((long) largest * granule);
    }
  }

  // The last column is how many sequences there are: another number would mean that some were not
  // tried.
  @ParameterizedTest(name = "{0} pages of {1} granules of {2} B, alignments to {3}, {4} steps")
  @CsvSource({
    "1, 4, 1, 1, 7, 105215",
    "1, 6, 256, 1, 6, 148401",
    "1, 8, 64, 4, 4, 402856",
    "2, 3, 256, 1, 7, 42382",
    "2, 4, 32, 2, 5, 82115",
    "3, 2, 16, 2, 6, 34285",
  })
  void everySequenceKeepsEveryInvariant(
      int pages, int granules, int granule, int maxAlignment, int length, long expected) {
    List<Step> takes = new ArrayList<>();
    for (int size = 1; size <= granules; size++) {
      for (int alignment = 1; alignment <= maxAlignment; alignment *= 2) {
        takes.add(Step.take(size, alignment));
      }
    }
    List<Step> steps = new ArrayList<>();
    long tried = tryFrom(steps, takes, pages, granules, granule, length);
    assertThat(tried).isEqualTo(expected);
  }

  /** Plays the steps from the start (nothing is undone), then each sequence one step longer. */
  private static long tryFrom(
      List<Step> steps, List<Step> takes, int pages, int granules, int granule, int length) {
    State state = new State(pages, granules, granule);
    try {
      steps.forEach(state::play);
      state.check();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("after " + steps, e);
    }
    if (steps.size() == length) {
      return 1;
    }
    List<Step> next = new ArrayList<>(takes);
    for (int which = 0; which < state.live.size(); which++) {
      next.add(Step.give(which));
    }
    long tried = 1;
    for (Step step : next) {
      steps.add(step);
      tried += tryFrom(steps, takes, pages, granules, granule, length);
      steps.removeLast();
    }
    return tried;
  }
}
