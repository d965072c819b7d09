package io.cistern.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 2 and 3: entries, presets, and what is refused. */
class PoolLayoutTest {

  private static final OptionalLong NONE = OptionalLong.empty();

  private static MemorySize bytes(long count) {
    return MemorySize.of(count);
  }

  private static DeviceProperties device(long alignment, long maxPage, Feature... features) {
    return new DeviceProperties(
        "test", MemorySize.MAX, bytes(maxPage), alignment, alignment, Set.of(features));
  }

  private static LayoutFault faultOf(DeviceProperties device, MemoryPoolConfig... pools) {
    var error =
        catchThrowableOfType(
            LayoutException.class, () -> PoolLayout.resolve(MemoryPoolsConfig.of(pools), device));
    assertThat(error).isNotNull();
    assertThat(error).hasMessage(error.fault().message());
    return error.fault();
  }

  @Test
  void entriesAreValues() {
    var entry = MemoryPoolConfig.sliced(bytes(64)).withMaxSliceSize(bytes(8));
    assertThat(entry)
        .isEqualTo(
            new MemoryPoolConfig.Sliced(
                bytes(64), Optional.of(bytes(8)), Optional.empty(), OptionalLong.empty()))
        .hasToString(
            "Sliced[pageSize=64B, maxSliceSize=Optional[8B], maxPoolSize=Optional.empty,"
                + " deallocPeriod=OptionalLong.empty]");
    assertThat(MemoryPoolConfig.exclusive(bytes(1)).withDeallocPeriod(4).withMaxAllocSize(bytes(2)))
        .isEqualTo(new MemoryPoolConfig.Exclusive(bytes(2), OptionalLong.of(4)));
    assertThat(MemoryPoolConfig.direct().withReclaimAt(bytes(3)))
        .isEqualTo(new MemoryPoolConfig.Direct(Optional.of(bytes(3))));
  }

  @Test
  void nullIsRefusedWhenTheValueIsMade() {
    assertThatNullPointerException().isThrownBy(() -> MemoryPoolConfig.sliced(null));
    assertThatNullPointerException().isThrownBy(() -> MemoryPoolConfig.exclusive(null));
    assertThatNullPointerException().isThrownBy(() -> new MemoryPoolConfig.Direct(null));
    assertThatNullPointerException()
        .isThrownBy(() -> new MemoryPoolsConfig.Explicit(Collections.singletonList(null)));
  }

  @Test
  void sizesAreRoundedUpButNoCapAndNoWatermark() {
    PoolLayout layout =
        PoolLayout.resolve(
            MemoryPoolsConfig.of(
                MemoryPoolConfig.sliced(bytes(1000))
                    .withMaxSliceSize(bytes(500))
                    .withMaxPoolSize(bytes(3000)),
                MemoryPoolConfig.exclusive(bytes(100)).withDeallocPeriod(7),
                MemoryPoolConfig.direct().withReclaimAt(bytes(1001))),
            device(32, 0));
    assertThat(layout.pools())
        .containsExactly(
            new ResolvedPool.Sliced(1024, 512, OptionalLong.of(2), NONE),
            new ResolvedPool.Exclusive(128, OptionalLong.of(7)),
            new ResolvedPool.Direct(OptionalLong.of(1001)));
    assertThat(((ResolvedPool.Sliced) layout.pools().getFirst()).maxPoolByteSize()).hasValue(2048);
  }

  @Test
  void anEmptyListIsRefused() {
    assertThat(faultOf(device(1, 0))).isEqualTo(new LayoutFault.EmptyList());
  }

  @Test
  void theNumberOfEntriesIsCheckedFirst() {
    var faulty = MemoryPoolConfig.sliced(bytes(0));
    var many = Collections.nCopies(255, faulty).toArray(MemoryPoolConfig[]::new);
    assertThat(faultOf(device(3, 0), many)).isEqualTo(new LayoutFault.TooManyPools(255, 254));
    var most = Collections.nCopies(254, MemoryPoolConfig.direct()).toArray(MemoryPoolConfig[]::new);
    assertThat(PoolLayout.resolve(MemoryPoolsConfig.of(most), device(1, 0)).pools()).hasSize(254);
  }

  @Test
  void withinASlicedEntryTheOrderIsFixed() {
    var entry = MemoryPoolConfig.sliced(bytes(0)).withMaxSliceSize(bytes(0));
    entry = entry.withMaxPoolSize(bytes(0)).withDeallocPeriod(-1);
    var device = device(256, 0);
    assertThat(faultOf(device(256, 0, Feature.EXCLUSIVE_MEMORY_ONLY), entry))
        .isEqualTo(new LayoutFault.SlicedPoolsUnavailable(0));
    assertThat(faultOf(device, entry)).isEqualTo(new LayoutFault.ZeroSize(0, "page_size"));
    entry = entry.withPageSize(bytes(1000));
    assertThat(faultOf(device, entry)).isEqualTo(new LayoutFault.ZeroSize(0, "max_slice_size"));
    entry = entry.withMaxSliceSize(bytes(1025));
    assertThat(faultOf(device, entry))
        .isEqualTo(new LayoutFault.SliceLargerThanPage(0, 1024, 1280, 256));
    entry = entry.withMaxSliceSize(bytes(1024));
    assertThat(faultOf(device, entry)).isEqualTo(new LayoutFault.ZeroSize(0, "max_pool_size"));
    entry = entry.withMaxPoolSize(bytes(1000));
    assertThat(faultOf(device, entry))
        .isEqualTo(new LayoutFault.CapSmallerThanPage(0, 1024, 1000, 256));
    entry = entry.withMaxPoolSize(bytes(1024));
    assertThat(faultOf(device, entry))
        .isEqualTo(new LayoutFault.OutOfRange(0, "dealloc_period", -1));
  }

  @Test
  void theFirstFaultyEntryDecides() {
    assertThat(
            faultOf(
                device(1, 0),
                MemoryPoolConfig.direct(),
                MemoryPoolConfig.exclusive(bytes(1)).withDeallocPeriod(-3),
                MemoryPoolConfig.sliced(bytes(0))))
        .isEqualTo(new LayoutFault.OutOfRange(1, "dealloc_period", -3));
  }

  @Test
  void roundingDoesNotLeaveTheRange() {
    var device = device(256, 0);
    assertThat(faultOf(device, MemoryPoolConfig.sliced(MemorySize.MAX)))
        .isEqualTo(new LayoutFault.OutOfRange(0, "page_size", Long.MAX_VALUE));
    assertThat(faultOf(device, MemoryPoolConfig.exclusive(MemorySize.MAX)))
        .isEqualTo(new LayoutFault.OutOfRange(0, "max_alloc_size", Long.MAX_VALUE));
    assertThat(
            faultOf(device, MemoryPoolConfig.sliced(bytes(1)).withMaxSliceSize(bytes(-256L >>> 1))))
        .isEqualTo(new LayoutFault.OutOfRange(0, "max_slice_size", -256L >>> 1));
    long largest = Long.MAX_VALUE - 255;
    var layout =
        PoolLayout.resolve(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(bytes(largest))), device);
    assertThat(layout.pools().getFirst().maxAcceptedByteSize()).isEqualTo(largest);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 3, 50, Long.MIN_VALUE, Long.MAX_VALUE})
  void theAlignmentIsAPowerOfTwo(long alignment) {
    var fault = new LayoutFault.BadAlignment(alignment);
    assertThat(faultOf(device(alignment, 0), MemoryPoolConfig.direct())).isEqualTo(fault);
    for (MemoryPoolsConfig preset : MemoryPoolsConfig.Preset.values()) {
      var error =
          catchThrowableOfType(
              LayoutException.class, () -> PoolLayout.resolve(preset, device(alignment, 1 << 20)));
      assertThat(error.fault()).isEqualTo(fault);
    }
  }

  @Test
  void subSlicesIsALadderBehindAZeroPoolAndBeforeAnExclusiveOne() {
    long gib = 1L << 30;
    assertThat(PoolLayout.resolve(MemoryPoolsConfig.subSlices(), device(256, 2 * gib)).pools())
        .containsExactly(
            new ResolvedPool.Exclusive(0, NONE),
            new ResolvedPool.Sliced(8 << 20, 512 << 10, NONE, NONE),
            new ResolvedPool.Sliced(32 << 20, 4 << 20, NONE, NONE),
            new ResolvedPool.Sliced(128 << 20, 32 << 20, NONE, NONE),
            new ResolvedPool.Sliced(512 << 20, 256 << 20, NONE, NONE),
            new ResolvedPool.Exclusive(2 * gib, OptionalLong.of(15000)));
  }

  @Test
  void exclusivePagesAreTwentyFourInGeometricProgression() {
    List<ResolvedPool> pools =
        PoolLayout.resolve(MemoryPoolsConfig.exclusivePages(), device(32, 128 << 20)).pools();
    assertThat(pools)
        .hasSize(24)
        .startsWith(
            new ResolvedPool.Exclusive(32768, OptionalLong.of(5000)),
            new ResolvedPool.Exclusive(47072, OptionalLong.of(5000)))
        .endsWith(new ResolvedPool.Exclusive(128 << 20, OptionalLong.of(5000)));
  }

  @Test
  void presetsWorkOnAnyDevice() {
    for (long maxPage : new long[] {0, 1, 100, 1 << 20, 1L << 40, Long.MAX_VALUE}) {
      for (long alignment = 1; alignment > 0 && alignment <= 1L << 62; alignment <<= 1) {
        for (MemoryPoolsConfig preset : MemoryPoolsConfig.Preset.values()) {
          for (ResolvedPool pool : PoolLayout.resolve(preset, device(alignment, maxPage)).pools()) {
            assertThat(pool.maxAcceptedByteSize()).isNotNegative();
          }
        }
      }
    }
  }

  @Test
  void aDeviceThatCantShareABlockGetsExclusivePages() {
    var exclusiveOnly = device(32, 1 << 20, Feature.EXCLUSIVE_MEMORY_ONLY);
    assertThat(PoolLayout.defaultFor(exclusiveOnly)).isEqualTo(MemoryPoolsConfig.exclusivePages());
    assertThat(PoolLayout.defaultFor(device(32, 1 << 20))).isEqualTo(MemoryPoolsConfig.subSlices());
    var error =
        catchThrowableOfType(
            LayoutException.class,
            () -> PoolLayout.resolve(MemoryPoolsConfig.subSlices(), exclusiveOnly));
    assertThat(error.fault())
        .isEqualTo(new LayoutFault.PresetUnavailable(MemoryPoolsConfig.Preset.SUB_SLICES));
  }

  @Test
  void presetsAreNamed() {
    assertThat(MemoryPoolsConfig.Preset.named("sub-slices"))
        .contains(MemoryPoolsConfig.Preset.SUB_SLICES);
    assertThat(MemoryPoolsConfig.Preset.named("exclusive-pages"))
        .contains(MemoryPoolsConfig.Preset.EXCLUSIVE_PAGES);
    assertThat(MemoryPoolsConfig.Preset.named("SUB_SLICES")).isEmpty();
  }
}
