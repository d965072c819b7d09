package io.cistern.trace.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LiveIdsTest {

  @Test
  void tellsRepeatedFreedAndUnknownIdsApart() {
    LiveIds ids = new LiveIds();
    assertThat(ids.free(0)).isEqualTo(LiveIds.UNKNOWN);
    int slot = ids.allocate(5);
    assertThat(ids.allocate(5)).isEqualTo(LiveIds.REPEATED);
    assertThat(ids.allocate(4)).isEqualTo(LiveIds.REPEATED);
    assertThat(ids.free(6)).isEqualTo(LiveIds.UNKNOWN);
    assertThat(ids.free(4)).isEqualTo(LiveIds.FREED);
    assertThat(ids.free(5)).isEqualTo(slot);
    assertThat(ids.free(5)).isEqualTo(LiveIds.FREED);
    assertThat(ids.allocate(Long.MAX_VALUE)).isEqualTo(slot);
    assertThat(ids.allocate(Long.MAX_VALUE)).isEqualTo(LiveIds.REPEATED);
  }

  @Test
  void doesAsAMapDoes() {
    Random random = new Random(7);
    for (int gap : new int[] {1, 3, 1 << 20, 1 << 30}) {
      LiveIds ids = new LiveIds();
      Map<Long, Integer> model = new HashMap<>();
      List<Long> live = new ArrayList<>();
      long id = 0;
      for (int step = 0; step < 50_000; step++) {
        boolean grow = step / 5_000 % 2 == 0;
        if (live.isEmpty() || random.nextInt(10) < (grow ? 7 : 3)) {
          id += 1 + random.nextInt(gap);
          int slot = ids.allocate(id);
          assertThat(model.put(id, slot)).isNull();
          live.add(id);
        } else {
          int index = random.nextInt(live.size());
          long freed = live.set(index, live.getLast());
          live.removeLast();
          assertThat(ids.free(freed)).isEqualTo(model.remove(freed));
        }
        assertThat(ids.live()).isEqualTo(model.size());
      }
      assertThat(new HashSet<>(model.values())).hasSameSizeAs(model.values());
    }
  }

  @Test
  void memoryGrowsWithWhatIsLive() {
    LiveIds ids = new LiveIds();
    for (long id = 0; id < 1_000_000; id++) {
      ids.allocate(id);
      if (id >= 10) {
        ids.free(id - 10);
      }
    }
    assertThat(ids.slots()).isEqualTo(11);
    assertThat(ids.live()).isEqualTo(10);
  }
}
