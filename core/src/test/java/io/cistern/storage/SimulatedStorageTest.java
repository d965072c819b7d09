package io.cistern.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulatedStorageTest {

  @ParameterizedTest
  @CsvSource({"1000, 1", "1000, 256", "4096, 256", "1, 1", "4611686018427387904, 256"})
  void itGivesWhatItHasAndNotOneByteMore(long capacity, long blockAlignment) {
    var device = device(capacity, blockAlignment);
    StorageBlock all = device.allocate(capacity);
    assertThat(all.byteSize()).isEqualTo(capacity);
    assertRefuses(device, 1);
    device.free(all);

    assertRefuses(device, capacity + 1);
    if (capacity > 1) {
      StorageBlock one = device.allocate(1);
      assertRefuses(device, capacity);
      device.allocate(capacity - 1);
      assertRefuses(device, 1);
      device.free(one);
      assertThat(device.allocate(1).address()).isPositive();
    }
  }

  private static SimulatedStorage device(long capacity, long blockAlignment) {
    MemorySize total = MemorySize.of(capacity);
    return new SimulatedStorage(
        new DeviceProperties("small", total, total, 1, blockAlignment, Set.of(Feature.ADDRESS)));
  }

  private static void assertRefuses(SimulatedStorage device, long byteSize) {
    MemorySize before = device.allocated();
    assertThatThrownBy(() -> device.allocate(byteSize)).isInstanceOf(DeviceMemoryException.class);
    assertThat(device.allocated()).isEqualTo(before);
  }
}
