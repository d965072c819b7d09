package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.AllocationException;
import io.cistern.MemorySize;
import io.cistern.PoolCapacityException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.SimulatedStorage;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 1 to 6 and 9: sizes about 2^31, 2^32 and 2^63 are sums like any others. */
class HugeSizesTest {

  private static final long GIB = 1L << 30;

  private static final long LARGEST_ALIGNMENT = 1L << 33;

  static List<MemoryPoolsConfig> layouts() {
    MemorySize huge = MemorySize.of(1L << 60);
    return List.of(
        MemoryPoolsConfig.subSlices(),
        MemoryPoolsConfig.exclusivePages(),
        MemoryPoolsConfig.of(MemoryPoolConfig.sliced(huge)),
        MemoryPoolsConfig.of(MemoryPoolConfig.exclusive(MemorySize.of(Long.MAX_VALUE - 255))),
        MemoryPoolsConfig.of(
            MemoryPoolConfig.sliced(MemorySize.of(5 * GIB)).withMaxPoolSize(huge),
            MemoryPoolConfig.direct().withReclaimAt(huge)));
  }

  private static final List<Long> SIZES =
      List.of(
          1L,
          (1L << 31) - 1,
          1L << 31,
          (1L << 31) + 1,
          (1L << 32) - 1,
          1L << 32,
          (1L << 32) + 1,
          (1L << 40) + 1,
          (1L << 53) + 1,
          (1L << 58) - 1);

  @ParameterizedTest
  @MethodSource("layouts")
  void slicesLieApartAndTotalsAreTheirSums(MemoryPoolsConfig layout) {
    for (long granule : new long[] {1, 256}) {
      try (MemoryManager manager = open(Long.MAX_VALUE, granule, layout)) {
        List<Allocation> live = new ArrayList<>();
        TreeMap<Long, Allocation> byAddress = new TreeMap<>();
        BigInteger inUse = BigInteger.ZERO;
        for (long byteSize : SIZES) {
          for (long alignment : new long[] {1, 256, 1L << 31, LARGEST_ALIGNMENT}) {
            Allocation got;
            try {
              got = manager.allocate(byteSize, alignment);
            } catch (AllocationException refused) {
              assertThat(refused).as("%s bytes", byteSize).hasMessageContaining("" + byteSize);
              continue;
            } finally {
              manager.checkInvariants();
            }
            live.add(got);
            inUse = inUse.add(BigInteger.valueOf(byteSize));
            assertThat(got.byteSize()).isEqualTo(byteSize);
            assertThat(byAddress.put(got.address(), got)).isNull();
            assertThat(manager.usage().inUse().bytes()).isEqualTo(inUse.longValueExact());
            assertThat(manager.usage().allocations()).isEqualTo(live.size());
          }
        }
        assertThat(live).hasSizeGreaterThan(20);
        long end = 0;
        for (Allocation one : byAddress.values()) {
          assertThat(one.address()).isGreaterThanOrEqualTo(end);
          end = Math.addExact(one.address(), one.byteSize());
        }
        live.forEach(Allocation::close);
        manager.checkInvariants();
        manager.trim();
        assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
        assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void whatNoDeviceHasIsRefusedAndChangesNothing(MemoryPoolsConfig layout) {
    try (MemoryManager manager = open(1L << 62, 256, layout)) {
      Allocation kept = manager.allocate(1 << 20);
      for (long byteSize : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 255, (1L << 62) + 1}) {
        for (long alignment : new long[] {1, 256, LARGEST_ALIGNMENT}) {
          var before = manager.usage();
          assertThatThrownBy(() -> manager.allocate(byteSize, alignment))
              .isInstanceOf(AllocationException.class)
              .hasMessageContaining("" + byteSize);
          assertThat(manager.usage().inUse()).isEqualTo(before.inUse());
          assertThat(manager.usage().allocations()).isEqualTo(1);
          manager.checkInvariants();
        }
      }
      kept.close();
    }
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void dryRunsAskForMoreThanALongCounts(MemoryPoolsConfig layout) {
    // No driver bounds what a dry run reserves: the sums themselves have to.
    try (MemoryManager manager = open(Long.MAX_VALUE, 256, layout)) {
      List<Allocation> live = new ArrayList<>();
      try (DryRun dryRun = manager.openDryRun()) {
        for (int i = 0; i < 40; i++) {
          long byteSize = (1L << 59) - (i & 1);
          long held = manager.usage().inUse().bytes();
          try {
            live.add(manager.allocate(byteSize));
            assertThat(manager.usage().inUse().bytes()).isEqualTo(Math.addExact(held, byteSize));
          } catch (AllocationException refused) {
            assertThat(manager.usage().inUse().bytes()).isEqualTo(held);
          }
          manager.checkInvariants();
        }
        assertThat(dryRun).isNotNull();
      }
      live.forEach(Allocation::close);
      manager.trim();
      manager.checkInvariants();
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 31, (1L << 31) + 256, 1L << 32, (1L << 32) + 256, 1L << 60})
  void aCapIsKeptToThePage(long pageByteSize) {
    MemorySize page = MemorySize.of(pageByteSize);
    // One byte short of the eighth page.
    MemorySize cap = MemorySize.of(pageByteSize > 1L << 59 ? Long.MAX_VALUE : 8 * pageByteSize - 1);
    MemoryPoolConfig capped = MemoryPoolConfig.sliced(page).withMaxPoolSize(cap);
    try (MemoryManager manager = open(Long.MAX_VALUE, 256, MemoryPoolsConfig.of(capped))) {
      List<Allocation> live = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        live.add(manager.allocate(pageByteSize));
        manager.checkInvariants();
      }
      assertThat(manager.usage().reserved()).isEqualTo(page.times(7));
      assertThatThrownBy(() -> manager.allocate(pageByteSize))
          .isInstanceOf(PoolCapacityException.class);
      assertThat(manager.usage().reserved()).isEqualTo(page.times(7));
      live.forEach(Allocation::close);
    }
  }

  private static MemoryManager open(long capacity, long granule, MemoryPoolsConfig layout) {
    var properties =
        new DeviceProperties(
            "huge device",
            MemorySize.of(capacity),
            MemorySize.of(capacity / 4 & -4096),
            granule,
            LARGEST_ALIGNMENT,
            Set.of(Feature.ADDRESS));
    return MemoryManager.builder(new SimulatedStorage(properties)).pools(layout).open();
  }
}
