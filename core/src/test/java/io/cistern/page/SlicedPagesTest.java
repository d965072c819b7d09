package io.cistern.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlicedPagesTest {

  private static final long GRANULE = 256;
  private static final long PAGE = 64 * GRANULE;

  private final SlicedPages pages = new SlicedPages(PAGE, GRANULE, 0);
  private final SliceTable slices = pages.slices();

  @Test
  void aSliceIsCutFromTheLowEnd() {
    pages.addPage(1, 0);
    int first = pages.take(GRANULE, 1);
    int second = pages.take(3 * GRANULE, 1);
    assertThat(slices.offset(first)).isZero();
    assertThat(slices.offset(second)).isEqualTo(GRANULE);
    assertThat(pages.largestFree()).isEqualTo(PAGE - 4 * GRANULE);
    assertThat(pages.checkInvariants()).isEqualTo(4 * GRANULE);
  }

  @Test
  void theSmallestRunThatFitsIsTaken() {
    pages.addPage(1, 0);
    int[] taken = new int[8];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = pages.take((i % 4 + 1) * GRANULE, 1);
    }
    pages.give(taken[3], 0); // 4 granules
    pages.give(taken[1], 0); // 2 granules
    pages.give(taken[6], 0); // 3 granules
    long offsetOfThree = slices.offset(taken[6]);
    assertThat(slices.offset(pages.take(3 * GRANULE, 1))).isEqualTo(offsetOfThree);
    pages.checkInvariants();
  }

  @Test
  void neighboursMergeUntilThePageIsIdle() {
    pages.addPage(1, 0);
    int a = pages.take(GRANULE, 1);
    int b = pages.take(GRANULE, 1);
    int c = pages.take(GRANULE, 1);
    assertThat(pages.give(a, 1)).isFalse();
    assertThat(pages.give(c, 2)).isFalse();
    assertThat(pages.longestIdlePage()).isZero();
    assertThat(pages.give(b, 3)).isTrue();
    assertThat(pages.longestIdlePage()).isEqualTo(1);
    assertThat(pages.idleSince(1)).isEqualTo(3);
    assertThat(pages.checkInvariants()).isZero();
  }

  @Test
  void idlePagesAreUsedLastAndTheLatestFirst() {
    pages.addPage(1, 0);
    pages.addPage(2, 0);
    pages.addPage(3, 0);
    int onThree = pages.take(GRANULE, 1);
    assertThat(slices.page(onThree)).isEqualTo(3);
    assertThat(slices.page(pages.take(PAGE - GRANULE, 1))).isEqualTo(3);
    int onTwo = pages.take(PAGE, 1);
    assertThat(slices.page(onTwo)).isEqualTo(2);
    int onOne = pages.take(PAGE, 1);
    pages.give(onOne, 5);
    pages.give(onTwo, 6);
    assertThat(slices.page(pages.take(GRANULE, 1))).isEqualTo(2);
    assertThat(pages.longestIdlePage()).isEqualTo(1);
    pages.checkInvariants();
  }

  @Test
  void aHandleOfAnEarlierOwnerIsNotLive() {
    pages.addPage(1, 0);
    int first = pages.take(GRANULE, 1);
    int generation = slices.generation(first);
    pages.give(first, 0);
    int second = pages.take(GRANULE, 1);
    assertThat(second).isEqualTo(first);
    assertThat(slices.isTaken(first, generation)).isFalse();
    assertThat(slices.isTaken(second, slices.generation(second))).isTrue();
  }

  @Test
  void theGapBeforeAnAlignedSliceComesBack() {
    pages.addPage(1, 0);
    int small = pages.take(GRANULE, 1);
    int aligned = pages.take(GRANULE, 16 * GRANULE);
    assertThat(slices.offset(aligned)).isEqualTo(16 * GRANULE);
    int inGap = pages.take(15 * GRANULE, 1);
    assertThat(slices.offset(inGap)).isEqualTo(GRANULE);
    pages.give(inGap, 0);
    pages.give(aligned, 0);
    assertThat(pages.give(small, 0)).isTrue();
    assertThat(pages.largestFree()).isEqualTo(PAGE);
  }

  /** Scenario 22's kind: an alignment is kept also where many runs fit in size alone. */
  @ParameterizedTest
  @ValueSource(ints = {3, 40})
  void anAlignedSliceFindsARunBehindMisalignedOnes(int misaligned) {
    SlicedPages many = new SlicedPages(1024 * GRANULE, GRANULE, 0);
    many.addPage(1, 0);
    List<Integer> holes = new ArrayList<>();
    many.take(GRANULE, 1);
    for (int i = 0; i < misaligned; i++) {
      holes.add(many.take(GRANULE, 1)); // At odd granules: no offset is a multiple of two.
      many.take(GRANULE, 1);
    }
    int rest = many.take(many.largestFree(), 1);
    int large = slicesAtEnd(many, rest);
    holes.forEach(hole -> many.give(hole, 0));
    many.give(large, 0);
    int aligned = many.take(GRANULE, 2 * GRANULE);
    assertThat(aligned).isNotEqualTo(SliceTable.NONE);
    assertThat(many.slices().offset(aligned) % (2 * GRANULE)).isZero();
    many.checkInvariants();
  }

  /**
   * Splits the last slice so that a run of three granules, too long to be misaligned, can be free.
   */
  private static int slicesAtEnd(SlicedPages pages, int rest) {
    pages.give(rest, 0);
    int run = pages.take(3 * GRANULE, 1);
    pages.take(pages.largestFree(), 1);
    return run;
  }

  @Test
  void noRoomForAGapIsNoRoom() {
    pages.addPage(1, 0);
    pages.take(GRANULE, 1);
    assertThat(pages.take(PAGE - GRANULE, 2 * GRANULE)).isEqualTo(SliceTable.NONE);
    assertThat(pages.take(PAGE - GRANULE, 1)).isNotEqualTo(SliceTable.NONE);
  }

  @Test
  void pagesComeAndGo() {
    Random random = new Random(7);
    List<Integer> live = new ArrayList<>();
    int held = 0;
    for (int step = 0; step < 5000; step++) {
      long alignment = GRANULE << random.nextInt(5);
      if (random.nextInt(100) < 55) {
        int slice = pages.take(random.nextLong(1, 33) * GRANULE, alignment);
        if (slice == SliceTable.NONE) {
          pages.addPage(++held, step);
        } else {
          assertThat(slices.offset(slice) % alignment).isZero();
          live.add(slice);
        }
      } else if (!live.isEmpty()) {
        int which = random.nextInt(live.size());
        int slice = live.get(which);
        live.set(which, live.getLast());
        live.removeLast();
        pages.give(slice, step);
      }
      if (step % 50 == 0) {
        while (pages.longestIdlePage() != 0) {
          pages.removePage(pages.longestIdlePage());
        }
      }
      long bytes = live.stream().mapToLong(slices::byteSize).sum();
      assertThat(pages.checkInvariants()).isEqualTo(bytes);
    }
  }
}
