package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.Fence;
import io.cistern.storage.StorageProvider;
import io.cistern.testkit.Patterns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Streams: copies, fills and fences on pooled slices. */
public abstract class WorkSuite extends GpuSuite {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(5);

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  protected WorkSuite(FakeDriver.Kind kind, StorageProvider provider) {
    super(kind, provider);
  }

  /** Bytes go to a slice, to another, and back, and reach no neighbour. */
  @Test
  public void copiesAndFillsReachExactlyTheirBytes() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(new CountingStorage(storage));
        Arena arena = Arena.ofConfined();
        Allocation first = manager.allocate(1000);
        Allocation second = manager.allocate(1000);
        Allocation third = manager.allocate(1000)) {
      MemorySegment bytes = arena.allocate(1000);
      Patterns.write(bytes, 1);
      stream.copyToDevice(bytes, first, 0);
      stream.fill(second, 0, 1000, (byte) -2);
      stream.copyToDevice(bytes, third, 0);
      stream.copy(first, 100, second, 300, 500);
      MemorySegment found = arena.allocate(1000);
      stream.copyToHost(second, 0, found);
      stream.await();
      MemorySegment expected = arena.allocate(1000).fill((byte) -2);
      expected.asSlice(300, 500).copyFrom(bytes.asSlice(100, 500));
      assertThat(found.mismatch(expected)).isEqualTo(-1);
      for (Allocation neighbour : List.of(first, third)) {
        neighbour.read(0, found);
        Patterns.verify(found, 1);
      }
    }
  }

  /** Each queues exactly one call, with the slice's own address. */
  @Test
  public void eachQueuesOneCall() {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage);
        Arena arena = Arena.ofConfined();
        Allocation first = manager.allocate(256);
        Allocation second = manager.allocate(1000)) {
      MemorySegment bytes = arena.allocate(100);
      fake().calls();
      stream.copyToDevice(bytes, second, 7);
      stream.copyToHost(second, 7, bytes);
      stream.copy(second, 0, first, 6, 250);
      stream.fill(second, 990, 10, (byte) 0xfe);
      stream.copyToDevice(bytes.asSlice(0, 0), second, 1000);
      stream.fill(second, 0, 0, (byte) 1);
      stream.copyToDevice(bytes, second.address());
      stream.copyToHost(second.address(), bytes);
      stream.copy(first.address(), second.address(), 9);
      stream.fill(first.address(), 9, (byte) 1);
      long at = second.byteOffset();
      assertThat(fake().work())
          .containsExactly(
              "cuMemcpyHtoDAsync_v2(block#1+" + (at + 7) + ", memory, 100, stream#2)",
              "cuMemcpyDtoHAsync_v2(memory, block#1+" + (at + 7) + ", 100, stream#2)",
              "cuMemcpyDtoDAsync_v2(block#1+6, block#1+" + at + ", 250, stream#2)",
              "cuMemsetD8Async(block#1+" + (at + 990) + ", 254, 10, stream#2)",
              "cuMemcpyHtoDAsync_v2(block#1+" + at + ", memory, 100, stream#2)",
              "cuMemcpyDtoHAsync_v2(memory, block#1+" + at + ", 100, stream#2)",
              "cuMemcpyDtoDAsync_v2(block#1+" + at + ", block#1+0, 9, stream#2)",
              "cuMemsetD8Async(block#1+0, 1, 9, stream#2)");
    }
  }

  /** What can't be copied is refused before the driver is asked. */
  @Test
  public void wrongCopiesAreRefused() {
    try (GpuStorage storage = open();
        GpuStorage other = open("pinned");
        MemoryManager manager = manager(storage);
        MemoryManager others = manager(other);
        GpuStream stream = GpuStream.open(storage);
        Allocation slice = manager.allocate(100);
        Allocation foreign = others.allocate(100)) {
      MemorySegment array = MemorySegment.ofArray(new byte[100]);
      MemorySegment pinned = foreign.segment();
      fake().calls();
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> stream.copyToDevice(pinned, slice, 1));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> stream.copyToHost(slice, -1, pinned));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> stream.fill(slice, 50, 51, (byte) 0));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> stream.copy(slice, 0, slice, 1, 100));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.copyToDevice(array, slice, 0))
          .withMessageContaining("not an array of 100 bytes");
      assertThatIllegalArgumentException().isThrownBy(() -> stream.copyToHost(slice, 0, array));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stream.fill(foreign, 0, 100, (byte) 0))
          .withMessageContaining("is not of the storage of a stream of device \"Fake GPU 0\"");
      MemorySegment ended;
      try (Arena arena = Arena.ofConfined()) {
        ended = arena.allocate(10);
      }
      assertThatIllegalStateException()
          .isThrownBy(() -> stream.copyToDevice(ended, slice, 0))
          .withMessageContaining("ended");
      assertThat(fake().work()).isEmpty();
      stream.copyToDevice(pinned, slice, 0);
      stream.await();
    }
  }

  /** A fence waits for the device, and lets a pool use the slice again when it has passed. */
  @Test
  public void aFenceKeepsASliceFromThePool() throws Exception {
    try (GpuStorage storage = open();
        MemoryManager manager = manager(storage);
        GpuStream stream = GpuStream.open(storage)) {
      Allocation slice = manager.allocate(1 << 20);
      long address = slice.address();
      fake().set("hold", 1);
      stream.fill(slice, 0, 1 << 20, (byte) 1);
      Fence fence = stream.fence();
      slice.usedUntil(fence);
      slice.close();
      assertThat(fence.hasPassed()).isFalse();
      assertThat(fence.await(SHORT)).isFalse();
      try (Allocation next = manager.allocate(1 << 20)) {
        assertThat(next.address()).isNotEqualTo(address);
      }
      fake().set("hold", 0);
      assertThat(fence.await(LONG)).isTrue();
      assertThat(fence.hasPassed()).isTrue();
      assertThat(fence.await(Duration.ZERO)).isTrue();
      try (Allocation one = manager.allocate(1 << 20);
          Allocation two = manager.allocate(1 << 20)) {
        assertThat(List.of(one.address(), two.address())).contains(address);
      }
    }
  }

  /** A wait ends when the work does, and when it is interrupted. */
  @Test
  public void awaitsEndWithTheWorkOrAnInterrupt() throws Exception {
    try (GpuStorage storage = open();
        GpuStream stream = GpuStream.open(storage)) {
      fake().set("hold", 1);
      Fence fence = stream.fence();
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(InterruptedException.class)
          .isThrownBy(() -> fence.await(Duration.ofSeconds(Long.MAX_VALUE)));
      Thread releasing = new Thread(() -> fake().set("hold", 0));
      releasing.start();
      assertThat(fence.await(LONG)).isTrue();
      releasing.join();
    }
  }

  /** Events of fences that have passed serve others, whether or not those were asked. */
  @Test
  public void eventsAreUsedAgain() {
    try (GpuStorage storage = open();
        GpuStream stream = GpuStream.open(storage)) {
      List<Fence> fences = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        fences.add(stream.fence());
      }
      assertThat(fake().count("event")).isLessThanOrEqualTo(2);
      fake().set("hold", 1);
      for (int i = 0; i < 5; i++) {
        fences.add(stream.fence());
      }
      assertThat(fake().count("event")).isBetween(5L, 6L);
      assertThat(fences.subList(0, 100)).allMatch(Fence::hasPassed);
      assertThat(fences.subList(100, 105)).noneMatch(Fence::hasPassed);
      fake().set("hold", 0);
      assertThat(fences).allMatch(Fence::hasPassed);
    }
  }

  /** Closing a stream waits for its work and ends its fences. */
  @Test
  public void aCloseWaitsAndEndsTheFences() throws Exception {
    try (GpuStorage storage = open()) {
      GpuStream stream = GpuStream.open(storage);
      fake().set("hold", 1);
      stream.fill(storage.allocate(100).address(), 100, (byte) 1);
      Fence fence = stream.fence();
      Thread closing = new Thread(stream::close);
      closing.start();
      closing.join(50);
      assertThat(closing.isAlive()).isTrue();
      assertThat(fence.hasPassed()).isFalse();
      fake().set("hold", 0);
      closing.join();
      assertThat(fence.hasPassed()).isTrue();
      assertThat(fake().count("event")).isZero();
      assertThat(fake().count("stream")).isEqualTo(1);
      stream.close();
      assertThatIllegalStateException()
          .isThrownBy(stream::fence)
          .withMessageContaining("is closed, or its storage is");
      assertThatIllegalStateException().isThrownBy(stream::handle);
    }
  }

  /** A storage that is closed ends its streams and fences. */
  @Test
  public void aStorageEndsItsStreams() {
    GpuStorage storage = open();
    GpuStream stream = GpuStream.open(storage);
    Fence fence = stream.fence();
    assertThat(stream.handle()).isNotZero();
    storage.close();
    assertThat(fence.hasPassed()).isTrue();
    assertThatIllegalStateException().isThrownBy(stream::await);
    stream.close();
  }

  /** A lost device is told by its code; its fences have passed, and everything can be closed. */
  @Test
  public void aLostDeviceIsToldAndCanBeClosed() {
    GpuStorage storage = open();
    MemoryManager manager = manager(storage);
    GpuStream stream = GpuStream.open(storage);
    Allocation slice = manager.allocate(100);
    fake().set("hold", 1);
    Fence fence = stream.fence();
    slice.usedUntil(fence);
    assertThat(fence.hasPassed()).isFalse();
    fake().set("lost", 700);
    assertThat(fence.hasPassed()).isTrue();
    assertThatExceptionOfType(DeviceMemoryException.class)
        .isThrownBy(stream::await)
        .withMessageContaining(
            code("CUDA_ERROR_ILLEGAL_ADDRESS (700)", "hipErrorIllegalAddress (700)"))
        .returns(Reason.DEVICE_LOST, DeviceMemoryException::reason);
    slice.close();
    manager.close();
    stream.close();
    storage.close();
    assertThat(storage.blocksOut()).isZero();
    forgetWhatHipKeeps();
  }
}
