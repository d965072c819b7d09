package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY;
import static org.lwjgl.vulkan.VK10.vkCmdFillBuffer;
import static org.lwjgl.vulkan.VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.MemoryManager;
import io.cistern.testkit.Patterns;
import io.cistern.vulkan.CountingCalls.Counted;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.vulkan.VkDevice;

/** A buffer is bound where its slice is, and ends before its slice, once, whatever happens. */
class VulkanBufferTest {

  private static final int USAGE =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
          | VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

  private static final MemoryPoolsConfig PAGES_OF_1_MIB =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1)));

  @BeforeEach
  void needADevice() {
    Lavapipe.need();
  }

  @Test
  void buffersLieAtTheirSlicesAndKeepTheirBytes() {
    for (boolean seen : new boolean[] {true, false}) {
      try (Counted counted = open(seen);
          MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB);
          VulkanBuffer first = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
          VulkanBuffer second = VulkanBuffer.create(counted.storage(), manager, 3, USAGE)) {
        assertThat(second.block()).isSameAs(first.block());
        assertThat(second.byteOffset())
            .isGreaterThanOrEqualTo(first.byteOffset() + first.requirements().byteSize());
        assertThat(second.byteOffset() % second.requirements().byteAlignment()).isZero();
        assertThat(first.buffer()).isNotEqualTo(second.buffer());
        assertThat(first.byteSize()).isEqualTo(1000);
        fill(first, 1);
        fill(second, 2);
        verify(first, 1);
        verify(second, 2);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> second.write(0, MemorySegment.ofArray(new byte[4])));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> second.read(1, MemorySegment.ofArray(new byte[3])));
      }
    }
  }

  private static Counted open(boolean seen) {
    UnaryOperator<DeviceSetup> change = seen ? UnaryOperator.identity() : Lavapipe::unseen;
    return CountingCalls.open(Lavapipe.OPTIONS, change);
  }

  private static void fill(VulkanBuffer buffer, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(buffer.byteSize());
      Patterns.write(bytes, seed);
      buffer.write(0, bytes);
    }
  }

  private static void verify(VulkanBuffer buffer, long seed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(buffer.byteSize());
      buffer.read(0, bytes);
      Patterns.verify(bytes, seed);
    }
  }

  @Test
  void requirementsAreTheDriversAndLeaveNothing() {
    try (Counted counted = open(true)) {
      VulkanRequirements found = VulkanBuffer.requirements(counted.storage(), 1001, USAGE);
      assertThat(found.byteSize()).isGreaterThanOrEqualTo(1001);
      assertThat(Long.bitCount(found.byteAlignment())).isOne();
      assertThat(found.memoryTypeBits() & 1).isOne();
      assertThat(counted.calls().buffersMade).hasValue(1);
      assertThat(counted.calls().buffers).isEmpty();
    }
  }

  @Test
  void aClosedBufferIsGoneAndItsSliceFree() {
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB)) {
      VulkanBuffer buffer = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
      long offset = buffer.byteOffset();
      assertThat(buffer).asString().startsWith("Vulkan buffer 0x").contains("Vulkan block");
      buffer.close();
      assertThat(counted.calls().buffers).isEmpty();
      assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
      assertThatIllegalStateException().isThrownBy(buffer::close).withMessageContaining("closed");
      assertThatIllegalStateException().isThrownBy(buffer::buffer);
      assertThatIllegalStateException().isThrownBy(buffer::segment);
      assertThatIllegalStateException()
          .isThrownBy(() -> buffer.read(0, MemorySegment.ofArray(new byte[1])));
      assertThatIllegalStateException().isThrownBy(() -> buffer.usedUntil(new ManualFence()));
      try (VulkanBuffer next = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE)) {
        assertThat(next.byteOffset()).isEqualTo(offset);
      }
    }
  }

  @Test
  void buffersThatAreOpenGoWithTheirManager() {
    try (Counted counted = open(true)) {
      MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB);
      VulkanBuffer first = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
      VulkanBuffer second = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
      MemorySegment kept = first.segment();
      manager.close();
      assertThat(counted.calls().buffers).isEmpty();
      assertThat(counted.calls().memories).isEmpty();
      assertThat(kept.scope().isAlive()).isFalse();
      assertThatIllegalStateException()
          .isThrownBy(() -> first.read(0, MemorySegment.ofArray(new byte[1])));
      first.close();
      second.close();
      assertThat(counted.calls().buffersMade).hasValue(2);
    }
  }

  @Test
  void buffersThatAreOpenGoWithTheirStorage() {
    Counted counted = open(true);
    MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB);
    VulkanBuffer pooled = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
    VulkanBuffer dedicated = VulkanBuffer.createDedicated(counted.storage(), 1000, USAGE);
    counted.close();
    manager.close();
    pooled.close();
    dedicated.close();
  }

  @Test
  void aBufferStaysWhileItsFenceHasNotPassed() {
    ManualFence fence = new ManualFence();
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB)) {
      VulkanBuffer buffer = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
      long offset = buffer.byteOffset();
      long handle = buffer.buffer();
      buffer.usedUntil(fence);
      buffer.close();
      assertThat(counted.calls().buffers).containsExactly(handle);
      try (VulkanBuffer other = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE)) {
        assertThat(other.byteOffset()).isNotEqualTo(offset);
        assertThat(counted.calls().buffers).contains(handle).hasSize(2);
        fence.passed = true;
      }
      assertThat(counted.calls().buffers).isEmpty();
      try (VulkanBuffer next = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE)) {
        assertThat(next.byteOffset()).isEqualTo(offset);
      }
    }
  }

  @Test
  void aBufferWhoseFenceHasPassedGoesAtOnce() {
    ManualFence fence = new ManualFence();
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB)) {
      VulkanBuffer buffer = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
      buffer.usedUntil(fence);
      fence.passed = true;
      buffer.close();
      assertThat(counted.calls().buffers).isEmpty();
    }
  }

  @Test
  void manyBuffersThatWaitGoInTurn() {
    ManualFence fence = new ManualFence();
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB)) {
      for (int i = 0; i < 20; i++) {
        VulkanBuffer buffer = VulkanBuffer.create(counted.storage(), manager, 1000, USAGE);
        buffer.usedUntil(fence);
        buffer.close();
      }
      assertThat(counted.calls().buffers).hasSize(20);
      fence.passed = true;
      for (int i = 0; i < 5; i++) {
        VulkanBuffer.create(counted.storage(), manager, 1000, USAGE).close();
      }
      assertThat(counted.calls().buffers).isEmpty();
    }
  }

  @Test
  void aBufferOfItsOwnMemoryIsMadeForItAlone() {
    for (boolean seen : new boolean[] {true, false}) {
      ManualFence fence = new ManualFence();
      try (Counted counted = open(seen)) {
        CountingCalls calls = counted.calls();
        int before = calls.memories.size();
        VulkanBuffer buffer = VulkanBuffer.createDedicated(counted.storage(), 5000, USAGE);
        assertThat(calls.dedications.getLast().buffer()).isEqualTo(buffer.buffer());
        assertThat(calls.byteSizes.getLast()).isEqualTo(buffer.requirements().byteSize());
        assertThat(buffer.byteOffset()).isZero();
        assertThat(counted.storage().blocksOut()).isOne();
        assertThat(counted.storage().allocated().bytes())
            .isEqualTo(buffer.requirements().byteSize());
        if (seen) {
          fill(buffer, 5);
          verify(buffer, 5);
        } else {
          assertThatExceptionOfType(UnsupportedOperationException.class)
              .isThrownBy(() -> fill(buffer, 5))
              .withMessageContaining("one resource alone");
        }
        buffer.usedUntil(fence);
        buffer.close();
        assertThat(calls.memories).hasSize(before + 1);
        assertThatIllegalStateException().isThrownBy(buffer::close);
        fence.passed = true;
        VulkanBuffer.createDedicated(counted.storage(), 100, USAGE).close();
        assertThat(calls.memories).hasSize(before);
        assertThat(calls.buffers).hasSize(before);
        assertThat(counted.storage().blocksOut()).isZero();
        counted.storage().allocate(100);
        assertThat(calls.dedications.getLast().isNone()).isTrue();
      }
    }
  }

  @Test
  void aBufferOfItsOwnMemoryStaysOpenWhileThatIsInUse() {
    try (Counted counted = open(true)) {
      VulkanBuffer buffer = VulkanBuffer.createDedicated(counted.storage(), 5000, USAGE);
      NativeCall.with(
          buffer.segment(),
          () ->
              assertThatExceptionOfType(DeviceMemoryException.class)
                  .isThrownBy(buffer::close)
                  .returns(Reason.IN_USE, DeviceMemoryException::reason));
      fill(buffer, 3);
      verify(buffer, 3);
      buffer.close();
      assertThat(counted.calls().memories).isEmpty();
    }
  }

  @Test
  void whatFailsOnTheWayLeavesNothing() {
    for (String call :
        List.of("vkCreateBuffer", "vkAllocateMemory", "vkMapMemory", "vkBindBufferMemory")) {
      try (Counted counted = open(true);
          MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB)) {
        counted.calls().refuse(call, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        assertThatExceptionOfType(RuntimeException.class)
            .isThrownBy(() -> VulkanBuffer.create(counted.storage(), manager, 1000, USAGE))
            .withStackTraceContaining(call + " gives VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
        assertThatExceptionOfType(DeviceMemoryException.class)
            .isThrownBy(() -> VulkanBuffer.createDedicated(counted.storage(), 1000, USAGE))
            .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason);
        assertThat(counted.calls().buffers).isEmpty();
        assertThat(manager.usage().inUse()).isEqualTo(MemorySize.ZERO);
        manager.trim();
        assertThat(counted.calls().memories).isEmpty();
        counted.calls().refuse("", 0);
        VulkanBuffer.create(counted.storage(), manager, 1000, USAGE).close();
      }
    }
  }

  @Test
  void aManagerThatIsFullRefusesAndLeavesNothing() {
    MemoryPoolsConfig small =
        MemoryPoolsConfig.of(
            MemoryPoolConfig.sliced(MemorySize.ofMiB(1)).withMaxPoolSize(MemorySize.ofMiB(1)));
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), small);
        VulkanBuffer _ = VulkanBuffer.create(counted.storage(), manager, 700_000, USAGE)) {
      assertThatExceptionOfType(AllocationException.class)
          .isThrownBy(() -> VulkanBuffer.create(counted.storage(), manager, 700_000, USAGE));
      assertThat(counted.calls().buffers).hasSize(1);
    }
  }

  @Test
  void whatCanNotBeBoundIsRefused() {
    List<VulkanRequirements> answer = new ArrayList<>();
    UnaryOperator<DeviceSetup> picky =
        setup ->
            setup.withCalls(
                new CountingCalls(setup.device()) {
                  @Override
                  VulkanRequirements bufferRequirements(long buffer) {
                    return answer.isEmpty() ? super.bufferRequirements(buffer) : answer.getFirst();
                  }
                });
    try (VulkanStorage storage = Lavapipe.open(Lavapipe.OPTIONS, picky);
        MemoryManager manager = MemoryManager.open(storage, PAGES_OF_1_MIB)) {
      answer.add(new VulkanRequirements(1000, 64, 0b110, false, false));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanBuffer.create(storage, manager, 1000, USAGE))
          .withMessageContaining("was opened for memory type 0 (DEVICE_LOCAL|")
          .withMessageContaining("bound to types 0b110 alone");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanBuffer.createDedicated(storage, 1000, USAGE));
      answer.set(0, new VulkanRequirements(1000, 64, 1, true, true));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanBuffer.create(storage, manager, 1000, USAGE))
          .withMessageContaining("createDedicated");
      VulkanBuffer.createDedicated(storage, 1000, USAGE).close();
      answer.set(0, new VulkanRequirements(1000, 1 << 30, 1, false, false));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanBuffer.create(storage, manager, 1000, USAGE));
      answer.set(0, new VulkanRequirements(4096, 64, 1, false, false));
      try (VulkanBuffer first = VulkanBuffer.create(storage, manager, 10, USAGE);
          VulkanBuffer second = VulkanBuffer.create(storage, manager, 10, USAGE)) {
        assertThat(second.byteOffset() - first.byteOffset()).isEqualTo(4096);
      }
      assertThat(((CountingCalls) storage.calls()).buffers).isEmpty();
    }
  }

  @Test
  void wrongUseIsRefused() {
    try (Counted counted = open(true);
        VulkanStorage other = VulkanStorage.open(Lavapipe.OPTIONS);
        MemoryManager foreign = MemoryManager.open(other, PAGES_OF_1_MIB)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanBuffer.create(counted.storage(), foreign, 0, USAGE));
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  VulkanBuffer.create(
                      counted.storage(), foreign, 1, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT))
          .withMessageContaining("DEVICE_ADDRESS");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VulkanBuffer.create(counted.storage(), foreign, 1, USAGE))
          .withMessageContaining("not on this storage");
      assertThat(foreign.usage().inUse()).isEqualTo(MemorySize.ZERO);
      assertThat(counted.calls().buffers).isEmpty();
    }
  }

  @Test
  void aCallersBufferIsTakenOverWhenItIsBound() throws VulkanRefusal {
    try (Counted counted = open(true);
        MemoryManager manager = MemoryManager.open(counted.storage(), PAGES_OF_1_MIB)) {
      long mine = counted.calls().createBuffer(777, USAGE);
      counted.calls().refuse("vkBindBufferMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> VulkanBuffer.bind(counted.storage(), manager, mine, 777));
      assertThat(counted.calls().buffers).containsExactly(mine);
      counted.calls().refuse("", 0);
      VulkanBuffer bound = VulkanBuffer.bind(counted.storage(), manager, mine, 777);
      assertThat(bound.buffer()).isEqualTo(mine);
      fill(bound, 9);
      verify(bound, 9);
      bound.close();
      assertThat(counted.calls().buffers).isEmpty();
    }
  }

  @Test
  void aCallersDeviceIsNotEnded() {
    try (VulkanStorage owner = VulkanStorage.open(Lavapipe.OPTIONS)) {
      VkDevice device = owner.device();
      for (int round = 0; round < 2; round++) {
        try (VulkanStorage guest = VulkanStorage.open(device, Lavapipe.OPTIONS);
            MemoryManager manager = MemoryManager.open(guest, PAGES_OF_1_MIB);
            VulkanBuffer buffer = VulkanBuffer.create(guest, manager, 1000, USAGE)) {
          assertThat(guest.device()).isSameAs(device);
          assertThatIllegalStateException().isThrownBy(guest::queue);
          fill(buffer, round);
          verify(buffer, round);
        }
        try (VulkanStorage guest =
            VulkanStorage.open(owner.queue(), owner.queueFamily(), Lavapipe.OPTIONS)) {
          assertThat(guest.queue()).isSameAs(owner.queue());
          guest.allocate(100);
        }
      }
      // The device still works.
      try (MemoryManager manager = MemoryManager.open(owner, PAGES_OF_1_MIB);
          VulkanBuffer buffer = VulkanBuffer.create(owner, manager, 1000, USAGE)) {
        Gpu.run(owner, commands -> vkCmdFillBuffer(commands, buffer.buffer(), 0, 1000, 0x07070707));
        byte[] found = new byte[1000];
        buffer.read(0, MemorySegment.ofArray(found));
        assertThat(found).containsOnly(7);
      }
    }
  }
}
