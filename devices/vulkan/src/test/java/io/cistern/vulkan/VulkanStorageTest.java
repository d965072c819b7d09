package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK10.VK_ERROR_MEMORY_MAP_FAILED;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_HOST_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_ERROR_TOO_MANY_OBJECTS;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import io.cistern.vulkan.CountingCalls.Counted;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VulkanStorageTest {

  private static final StorageOptions OPTIONS = Lavapipe.OPTIONS;

  @BeforeEach
  void needADevice() {
    Lavapipe.need();
  }

  @Test
  void theProviderIsFoundAndOpensTheDevice() {
    VulkanStorageTest.class.getModule().addUses(StorageProvider.class);
    StorageProvider provider =
        ServiceLoader.load(StorageProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.name().equals("vulkan"))
            .findFirst()
            .orElseThrow();
    try (Storage storage = provider.open(StorageOptions.DEFAULT)) {
      assertThat(storage).isInstanceOf(VulkanStorage.class);
      DeviceInfo found = provider.devices().devices().getFirst();
      assertThat(found.properties()).isEqualTo(storage.properties());
      assertThat(found.driver()).contains("Vulkan 1.");
      assertThat(found.limits())
          .containsKeys("max-blocks", "max-block-bytes", "non-coherent-atom-bytes")
          .containsEntry("heap-0-bytes", storage.properties().total().bytes())
          .allSatisfy((_, value) -> assertThat(value).isPositive());
    }
  }

  @Test
  void theDeviceIsWhatTheDriverSays() {
    List<VulkanLimits> limits = new ArrayList<>();
    try (VulkanStorage storage =
        Lavapipe.open(
            StorageOptions.DEFAULT,
            setup -> {
              limits.add(setup.limits());
              return setup;
            })) {
      DeviceProperties device = storage.properties();
      long alignment = limits.getFirst().byteAlignment();
      assertThat(device.byteAlignment()).isEqualTo(alignment);
      assertThat(device.total().bytes()).isEqualTo(limits.getFirst().heapByteSizes().getFirst());
      assertThat(device.maxPageSize().bytes()).isEqualTo(device.total().bytes() / 4);
      assertThat(device.features()).doesNotContain(Feature.ADDRESS).contains(Feature.COPY);
      assertThat(limits.getFirst().maxAllocations()).isGreaterThanOrEqualTo(4096);
    }
  }

  @Test
  void optionsChangeTheDevice() {
    StorageOptions options =
        OPTIONS
            .withByteAlignment(4096)
            .withCapacity(MemorySize.ofMiB(8))
            .withMaxPageSize(MemorySize.ofMiB(1));
    try (VulkanStorage storage = VulkanStorage.open(options)) {
      DeviceProperties device = storage.properties();
      assertThat(device.byteAlignment()).isEqualTo(4096);
      assertThat(device.blockAlignment()).isEqualTo(4096);
      assertThat(device.total()).isEqualTo(MemorySize.ofMiB(8));
      assertThat(device.maxPageSize()).isEqualTo(MemorySize.ofMiB(1));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, 0, 1, 32, 65, 96})
  void anAlignmentThatCanNotBeIsRefused(long byteAlignment) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VulkanStorage.open(OPTIONS.withByteAlignment(byteAlignment)))
        .withMessageContaining("to a power of two of at least 64 bytes, not to " + byteAlignment);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 99})
  void anotherIndexIsRefused(int index) {
    int count = new VulkanStorageProvider().devices().devices().size();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VulkanStorage.open(OPTIONS.withIndex(index)))
        .withMessage("there is no device vulkan:" + index + ", only " + count + " of that kind");
  }

  @Test
  void theNumberOfMemoriesIsALimit() {
    try (Counted counted =
        CountingCalls.open(
            OPTIONS,
            setup -> setup.withLimits(Lavapipe.limits(setup.limits(), 3, 1 << 20, 1024)))) {
      VulkanStorage storage = counted.storage();
      VulkanBlock first = storage.allocate(100);
      storage.allocate(100);
      storage.allocate(100);
      assertRefused(storage, 100, Reason.TOO_MANY_BLOCKS)
          .hasMessageContaining("at most 3 blocks at once");
      assertThat(counted.calls().memoriesMade).isEqualTo(3);
      storage.free(first);
      storage.allocate(1 << 20);
      assertThat(counted.calls().memories).hasSize(3);
    }
  }

  @Test
  void theMemoryOfCopiesCountsAsWell() {
    try (Counted counted =
        CountingCalls.open(
            OPTIONS,
            setup -> {
              DeviceSetup unseen = Lavapipe.unseen(setup);
              return unseen.withLimits(Lavapipe.limits(unseen.limits(), 3, 1 << 20, 64));
            })) {
      counted.storage().allocate(100);
      counted.storage().allocate(100);
      assertRefused(counted.storage(), 100, Reason.TOO_MANY_BLOCKS);
      assertThat(counted.calls().memories).hasSize(3);
    }
  }

  @Test
  void aMemorysSizeIsALimit() {
    try (Counted counted =
        CountingCalls.open(
            OPTIONS,
            setup -> setup.withLimits(Lavapipe.limits(setup.limits(), 100, 1 << 20, 1024)))) {
      VulkanStorage storage = counted.storage();
      assertRefused(storage, (1 << 20) + 1, Reason.BLOCK_TOO_LARGE)
          .hasMessageContaining("at most 1048576 bytes");
      storage.allocate(1 << 20);
      assertThat(storage.properties().maxPageSize()).isEqualTo(MemorySize.ofMiB(1));
      assertThat(counted.calls().memoriesMade).isOne();
    }
  }

  @Test
  void slicesStandAGranularityApart() {
    MemoryPoolsConfig pools = MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1)));
    try (VulkanStorage storage =
            Lavapipe.open(
                OPTIONS,
                setup -> setup.withLimits(Lavapipe.limits(setup.limits(), 100, 1 << 20, 1024)));
        // Confined: slices then come one after the other, not in a magazine's order.
        MemoryManager manager = MemoryManager.builder(storage).pools(pools).confined().open()) {
      assertThat(storage.properties().byteAlignment()).isEqualTo(1024);
      try (Allocation first = manager.allocate(1);
          Allocation second = manager.allocate(1500);
          Allocation third = manager.allocate(1)) {
        assertThat(List.of(first.byteOffset(), second.byteOffset(), third.byteOffset()))
            .containsExactly(0L, 1024L, 3072L);
        assertThat(second.block()).isSameAs(first.block());
      }
    }
  }

  @Test
  void theBudgetIsAskedAtEachBlock() {
    AtomicLong used = new AtomicLong(300_000);
    HeapBudget budget = heap -> Optional.of(new HeapBudget.State(1 << 20, used.get() + heap));
    try (Counted counted = CountingCalls.open(OPTIONS, setup -> setup.withBudget(budget))) {
      VulkanStorage storage = counted.storage();
      storage.allocate(748_576);
      assertRefused(storage, 748_577, Reason.OUT_OF_MEMORY)
          .hasMessageEndingWith(
              "asked for 748577 bytes, of heap 0's budget of 1048576 bytes 300000 are used");
      used.set(1 << 21);
      assertRefused(storage, 1, Reason.OUT_OF_MEMORY).hasMessageContaining("2097152 are used");
      used.set(0);
      storage.allocate(1 << 20);
      assertThat(counted.calls().memoriesMade).isEqualTo(2);
      assertThat(storage.blocksOut()).isEqualTo(2);
    }
  }

  @Test
  void aManagerIsRefusedBeyondTheBudgetAndGoesOn() {
    HeapBudget budget = _ -> Optional.of(new HeapBudget.State(1 << 20, 0));
    try (VulkanStorage storage = Lavapipe.open(OPTIONS, setup -> setup.withBudget(budget));
        MemoryManager manager =
            MemoryManager.open(storage, MemoryPoolsConfig.of(MemoryPoolConfig.direct()))) {
      assertThatExceptionOfType(AllocationException.class)
          .isThrownBy(() -> manager.allocate(2 << 20))
          .withStackTraceContaining("budget of 1048576 bytes");
      try (Allocation fits = manager.allocate(1 << 20)) {
        assertThat(fits.byteSize()).isEqualTo(1 << 20);
      }
    }
  }

  @Test
  void theDriversRefusalsAreNamedNumberedAndLeaveNothing() {
    Map<Integer, Reason> reasons =
        Map.of(
            VK_ERROR_OUT_OF_DEVICE_MEMORY,
            Reason.OUT_OF_MEMORY,
            VK_ERROR_OUT_OF_HOST_MEMORY,
            Reason.OUT_OF_MEMORY,
            VK_ERROR_TOO_MANY_OBJECTS,
            Reason.TOO_MANY_BLOCKS,
            VK_ERROR_DEVICE_LOST,
            Reason.DEVICE_LOST,
            VK_ERROR_MEMORY_MAP_FAILED,
            Reason.DRIVER_FAILED,
            -12345,
            Reason.DRIVER_FAILED);
    for (boolean seen : new boolean[] {true, false}) {
      try (Counted counted =
          CountingCalls.open(OPTIONS, setup -> seen ? setup : Lavapipe.unseen(setup))) {
        int before = counted.calls().memories.size();
        List<String> calls =
            seen
                ? List.of("vkAllocateMemory", "vkMapMemory")
                : List.of("vkAllocateMemory", "vkCreateBuffer", "vkBindBufferMemory");
        for (String call : calls) {
          reasons.forEach(
              (code, reason) -> {
                counted.calls().refuse(call, code);
                assertRefused(counted.storage(), 4096, reason)
                    .hasMessageContaining("can't allocate 4096 bytes: " + call + " gives ")
                    .hasMessageContaining("(" + code + ")");
                assertThat(counted.calls().memories).hasSize(before);
                assertThat(counted.calls().buffers).hasSize(before);
              });
        }
        assertThat(counted.storage().allocated()).isEqualTo(MemorySize.ZERO);
        counted.calls().refuse("", 0);
        counted.storage().allocate(4096);
      }
    }
  }

  @Test
  void anOpenThatFailsLeavesNothing() {
    for (String call :
        List.of("vkCreateBuffer", "vkAllocateMemory", "vkBindBufferMemory", "vkMapMemory")) {
      List<CountingCalls> calls = new ArrayList<>();
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  Lavapipe.open(
                      OPTIONS,
                      setup -> {
                        calls.add(new CountingCalls(setup.device()));
                        calls.getFirst().refuse(call, VK_ERROR_OUT_OF_HOST_MEMORY);
                        return Lavapipe.unseen(setup.withCalls(calls.getFirst()));
                      }))
          .withMessageContaining("can't be opened")
          .withMessageContaining(call + " gives VK_ERROR_OUT_OF_HOST_MEMORY (-1)");
      assertThat(calls.getFirst().memories).isEmpty();
      assertThat(calls.getFirst().buffers).isEmpty();
    }
  }

  @Test
  void copiesThatTheDeviceFailsAreTyped() {
    try (Counted counted = CountingCalls.open(OPTIONS, Lavapipe::unseen)) {
      VulkanBlock block = counted.storage().allocate(4096);
      MemorySegment bytes = MemorySegment.ofArray(new byte[100]);
      counted.calls().refuse("vkQueueSubmit", VK_ERROR_DEVICE_LOST);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> block.write(0, bytes))
          .withMessageContaining("can't write 100 bytes: vkQueueSubmit gives VK_ERROR_DEVICE_LOST")
          .returns(Reason.DEVICE_LOST, DeviceMemoryException::reason);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> block.read(0, bytes))
          .withMessageContaining("can't read 100 bytes");
      counted.calls().refuse("", 0);
      block.write(0, bytes);
    }
  }

  @Test
  void copiesLargerThanTheirPieceOfMemoryArrive() {
    try (Counted counted = CountingCalls.open(OPTIONS, Lavapipe::unseen)) {
      byte[] bytes = new byte[(3 << 20) + 17];
      new Random(1).nextBytes(bytes);
      VulkanBlock block = counted.storage().allocate(bytes.length + 100);
      block.write(33, MemorySegment.ofArray(bytes));
      byte[] found = new byte[bytes.length];
      block.read(33, MemorySegment.ofArray(found));
      assertThat(found).isEqualTo(bytes);
    }
  }

  @Test
  void memoryThatIsNotCoherentIsFlushedInWholeAtoms() {
    try (Counted counted = CountingCalls.open(OPTIONS, Lavapipe::incoherent)) {
      assertThat(counted.storage().properties().byteAlignment()).isEqualTo(256);
      VulkanBlock block = counted.storage().allocate(1000);
      block.write(300, MemorySegment.ofArray(new byte[10]));
      block.read(255, MemorySegment.ofArray(new byte[2]));
      block.flush(0, 256);
      block.invalidate(900, 100);
      block.flush(500, 0);
      assertThat(counted.calls().ranges)
          .containsExactly("flush 256 256", "invalidate 0 512", "flush 0 256", "invalidate 768 -1");
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> block.flush(999, 2));
      counted.calls().refuse("vkFlushMappedMemoryRanges", VK_ERROR_OUT_OF_HOST_MEMORY);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> block.write(0, MemorySegment.ofArray(new byte[1])))
          .withMessageContaining("can't flush 1 bytes");
      counted.storage().free(block);
      assertThatIllegalStateException().isThrownBy(() -> block.flush(0, 1));
      assertThatIllegalStateException().isThrownBy(() -> block.invalidate(0, 1));
    }
  }

  @Test
  void memoryThatIsCoherentIsNotFlushed() {
    try (Counted counted = CountingCalls.open(OPTIONS.withSetting("memory", "host-visible"))) {
      VulkanBlock block = counted.storage().allocate(1000);
      block.write(0, MemorySegment.ofArray(new byte[10]));
      block.flush(0, 10);
      block.invalidate(0, 10);
      assertThat(counted.calls().ranges).isEmpty();
    }
  }

  @Test
  void aDirectPoolHasAMemoryOfExactSizeForEachAllocation() {
    try (Counted counted = CountingCalls.open(OPTIONS);
        MemoryManager manager =
            MemoryManager.open(
                counted.storage(), MemoryPoolsConfig.of(MemoryPoolConfig.direct()))) {
      long unit = counted.storage().properties().byteAlignment();
      try (Allocation first = manager.allocate(5 * unit);
          Allocation second = manager.allocate(7 * unit)) {
        assertThat(counted.calls().byteSizes).containsExactly(5 * unit, 7 * unit);
        assertThat(first.block(VulkanBlock.class).memory())
            .isNotEqualTo(second.block(VulkanBlock.class).memory());
        assertThat(first.byteOffset() + second.byteOffset()).isZero();
      }
    }
  }

  @Test
  void aBlockInANativeCallStaysValidAlsoBeyondTheClose() {
    Counted counted = CountingCalls.open(OPTIONS);
    VulkanBlock used = counted.storage().allocate(4096);
    VulkanBlock other = counted.storage().allocate(4096);
    MemorySegment segment = used.segment();
    NativeCall.with(
        segment,
        () -> {
          assertThatExceptionOfType(DeviceMemoryException.class)
              .isThrownBy(() -> counted.storage().free(used))
              .withMessageContaining("Vulkan block of 4096 bytes")
              .returns(Reason.IN_USE, DeviceMemoryException::reason);
          segment.fill((byte) 1);
          counted.storage().close();
          segment.fill((byte) 2);
        });
    assertThat(other.segment().scope().isAlive()).isFalse();
    assertThat(counted.calls().memories).containsExactly(used.memory());
    counted.storage().free(used);
    assertThat(segment.scope().isAlive()).isFalse();
    counted.close();
  }

  @Test
  void theDeviceEndsOnceAndAfterItsLastBlock() {
    AtomicInteger ends = new AtomicInteger();
    VulkanStorage storage =
        Lavapipe.open(
            OPTIONS,
            setup ->
                new DeviceSetup(
                    setup.name(),
                    setup.device(),
                    setup.queue(),
                    setup.limits(),
                    setup.budget(),
                    setup.calls(),
                    () -> {
                      ends.incrementAndGet();
                      setup.end().run();
                    }));
    VulkanBlock block = storage.allocate(4096);
    NativeCall.with(
        block.segment(),
        () -> {
          storage.close();
          storage.close();
          assertThat(ends).hasValue(0);
        });
    storage.close();
    assertThat(ends).hasValue(1);
    storage.close();
    assertThat(ends).hasValue(1);
  }

  @Test
  void aBlockSaysWhatItIs() {
    try (VulkanStorage storage = Lavapipe.open(OPTIONS)) {
      VulkanBlock block = storage.allocate(100);
      assertThat(block)
          .hasToString("Vulkan block of 100 bytes, memory 0x" + Long.toHexString(block.memory()));
      assertThat(storage.memoryType()).isZero();
      assertThat(storage.queue().getDevice()).isSameAs(storage.device());
    }
  }

  private static AbstractThrowableAssert<?, DeviceMemoryException> assertRefused(
      VulkanStorage storage, long byteSize, Reason reason) {
    int blocks = storage.blocksOut();
    MemorySize out = storage.allocated();
    DeviceMemoryException refusal =
        catchThrowableOfType(DeviceMemoryException.class, () -> storage.allocate(byteSize));
    assertThat(refusal)
        .isNotNull()
        .returns(byteSize, DeviceMemoryException::byteSize)
        .returns(reason, DeviceMemoryException::reason);
    assertThat(storage.blocksOut()).isEqualTo(blocks);
    assertThat(storage.allocated()).isEqualTo(out);
    return assertThat(refusal);
  }
}
