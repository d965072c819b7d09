package io.cistern.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The index against a sorted map of stacks. */
class FreeIndexTest {

  private final SliceTable slices = new SliceTable(0);
  private final TreeMap<Long, Deque<Integer>> model = new TreeMap<>();

  @ParameterizedTest
  @CsvSource({
    // granule, largest in granules, sizes are spread over the last n granules below it
    "1, 63, 63",
    "256, 64, 64",
    "1, 127, 64",
    "64, 5000, 40",
    "256, 1048575, 200000",
    "1, 4611686018427387904, 1000",
    "1, 9223372036854775807, 9223372036854775807",
    "4096, 2251799813685247, 1099511627776"
  })
  void findsTheSmallestThatFits(long granule, long largest, long spread) {
    FreeIndex index = new FreeIndex(slices, granule, largest * granule);
    Random random = new Random(spread ^ granule);
    for (int step = 0; step < 20_000; step++) {
      long size = (largest - random.nextLong(spread)) * granule;
      if (random.nextInt(100) < (step / 2000 % 2 == 0 ? 60 : 35)) {
        add(index, size);
      } else if (random.nextBoolean() && !model.isEmpty()) {
        remove(index, random);
      } else {
        take(index, size);
      }
      if (step % 97 == 0) {
        checkAll(index);
      }
    }
    checkAll(index);
    assertThat(index.visits()).as("records looked at").isLessThan(20_000L * 2 * 64);
  }

  private void add(FreeIndex index, long size) {
    int slice = slices.make(1, 0, size);
    index.add(slice);
    model.computeIfAbsent(size, none -> new ArrayDeque<>()).push(slice);
  }

  private void remove(FreeIndex index, Random random) {
    Long from = model.ceilingKey((long) (random.nextDouble() * model.lastKey()));
    Deque<Integer> ofSize = model.get(from == null ? model.firstKey() : from);
    int slice = random.nextBoolean() ? ofSize.peekFirst() : ofSize.peekLast();
    forget(index, slice, slices.byteSize(slice));
  }

  private void take(FreeIndex index, long size) {
    int slice = index.firstAtLeast(size);
    Map.Entry<Long, Deque<Integer>> expected = model.ceilingEntry(size);
    int exact = index.exactly(size);
    if (expected == null) {
      assertThat(slice).isEqualTo(SliceTable.NONE);
      assertThat(exact).isEqualTo(SliceTable.NONE);
      return;
    }
    assertThat(slices.byteSize(slice)).isEqualTo(expected.getKey());
    assertThat(slice).as("freed last").isEqualTo(expected.getValue().peekFirst());
    assertThat(exact).isEqualTo(expected.getKey() == size ? slice : SliceTable.NONE);
    forget(index, slice, expected.getKey());
  }

  private void forget(FreeIndex index, int slice, long size) {
    index.remove(slice);
    Deque<Integer> ofSize = model.get(size);
    assertThat(ofSize.remove(slice)).as("slice %s is in the index", slice).isTrue();
    if (ofSize.isEmpty()) {
      model.remove(size);
    }
    slices.retire(slice);
  }

  private void checkAll(FreeIndex index) {
    int count = model.values().stream().mapToInt(Deque::size).sum();
    assertThat(index.checkInvariants()).isEqualTo(count);
    assertThat(index.largest()).isEqualTo(model.isEmpty() ? 0 : model.lastKey());
  }
}
