package io.cistern.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTableTest {

  private static final int MANY = 20_000;

  private final SliceTable table = new SliceTable(0);

  /** A slice that is live, and what its owner was told of it. */
  private record Owned(int slice, int generation) {}

  private Owned makeLive(long offset, long byteSize) {
    int slice = table.make(1, offset, byteSize);
    table.nextGeneration(slice);
    table.own(slice, byteSize - 1, offset);
    return new Owned(slice, table.generation(slice));
  }

  private void end(Owned owned) {
    table.nextGeneration(owned.slice());
    table.retire(owned.slice());
  }

  @Test
  void keepsWideNumbersOfEachSlice() {
    List<Owned> all = new ArrayList<>();
    for (long i = 1; i <= MANY; i++) {
      all.add(makeLive(i << 33, (i << 34) + i));
    }
    for (int i = 1; i <= MANY; i++) {
      int slice = all.get(i - 1).slice();
      assertEquals((long) i << 33, table.offset(slice));
      assertEquals(((long) i << 34) + i, table.byteSize(slice));
      assertEquals(table.byteSize(slice) - 1, table.requested(slice));
      assertEquals(table.offset(slice), table.serial(slice));
    }
    assertEquals(MANY, table.live().distinct().count());
  }

  @Test
  void aSliceHasTheHomeThatItWasGivenLast() {
    int slice = makeLive(0, 64).slice();
    assertEquals(0, table.home(slice));
    table.setHome(slice, 7);
    assertEquals(7, table.home(slice));
    assertEquals(0, table.home(MANY), "a slice that was never made");
    table.nextGeneration(slice);
    table.retire(slice);
    assertEquals(0, table.home(table.makeEmpty()), "the same record, used again");
  }

  @Test
  void givesRecordsUpAfterAPeak() {
    List<Owned> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(makeLive(i, 64));
    }
    long atPeak = table.capacity();
    all.subList(100, MANY).forEach(this::end);
    assertTrue(table.capacity() * 10 <= atPeak, () -> table.capacity() + " of " + atPeak);
    assertEquals(100, table.live().count());
  }

  @Test
  void aHandleOfARecordThatWasGivenUpReachesNobody() {
    Set<Owned> before = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      List<Owned> all = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        all.add(makeLive(i, 64));
      }
      all.forEach(owned -> assertTrue(before.add(owned), () -> owned + " once more"));
      all.forEach(this::end);
      all.forEach(owned -> assertFalse(table.isTaken(owned.slice(), owned.generation())));
    }
  }

  @Test
  void aDisownedSliceIsTakenAndNobodys() {
    Owned owned = makeLive(0, 64);
    table.disown(owned.slice());
    assertTrue(table.isTaken(owned.slice()));
    assertFalse(table.isOwned(owned.slice()));
    assertFalse(table.isTaken(owned.slice(), owned.generation()));
    assertEquals(0, table.live().count());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void agreesWithAMapWhateverComesAndGoes(long seed) {
    Random random = new Random(seed);
    Map<Integer, Owned> model = new HashMap<>();
    List<Owned> order = new ArrayList<>();
    for (int step = 0; step < 60_000; step++) {
      // Long phases of growth and of decline, so that segments come and go.
      boolean grows = step / 10_000 % 2 == 0;
      if (order.isEmpty() || random.nextInt(10) < (grows ? 8 : 2)) {
        Owned owned = makeLive(step, 64);
        assertEquals(null, model.put(owned.slice(), owned));
        order.add(owned);
      } else {
        int at = random.nextInt(order.size());
        Owned owned = order.get(at);
        order.set(at, order.getLast());
        order.removeLast();
        assertTrue(table.isTaken(owned.slice(), owned.generation()));
        model.remove(owned.slice());
        end(owned);
      }
      if (step % 1000 == 0) {
        assertEquals(
            model.keySet(), Arrays.stream(table.all()).boxed().collect(Collectors.toSet()));
      }
    }
  }
}
