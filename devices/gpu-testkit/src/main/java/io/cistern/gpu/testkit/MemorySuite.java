package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import io.cistern.gpu.GpuBlock;
import io.cistern.gpu.GpuStorage;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import io.cistern.testkit.Patterns;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each kind of memory asks of the driver, and what its refusals become. */
@SuppressWarnings("try") // Closing twice is what is tested.
public abstract class MemorySuite extends GpuSuite {

  private static final long MORE_THAN_32_BITS = (5L << 30) + 3;

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  protected MemorySuite(FakeDriver.Kind kind, StorageProvider provider) {
    super(kind, provider);
  }

  private void assertWork(String... calls) {
    assertThat(fake().work()).containsExactly(calls);
  }

  private void assertOneBlock(GpuStorage storage, String allocate, String... free) {
    fake().calls();
    GpuBlock block = storage.allocate(4096);
    if (free.length > 1) {
      assertWork(allocate, "cuStreamSynchronize(stream#1)");
    } else {
      assertWork(allocate);
    }
    storage.free(block);
    assertWork(free);
  }

  /** A block costs exactly these calls, of each kind. */
  @Test
  public void aBlockCostsExactlyTheseCalls() {
    try (GpuStorage storage = open("device")) {
      assertOneBlock(storage, "cuMemAlloc_v2(4096)", "cuMemFree_v2(block#1+0)");
    }
    try (GpuStorage storage = open("pinned")) {
      assertOneBlock(storage, "cuMemHostAlloc(4096, 3)", "cuMemFreeHost(host#1+0)");
    }
    fake().reset(CAPACITY);
    try (GpuStorage storage = open("async")) {
      assertOneBlock(
          storage,
          "cuMemAllocFromPoolAsync(4096, pool#1, stream#1)",
          "cuMemFreeAsync(block#1+0, stream#1)",
          "cuStreamSynchronize(stream#1)");
    }
  }

  /** Managed memory looks at what is free first. */
  @Test
  public void managedMemoryLooksAtWhatIsFree() {
    try (GpuStorage storage = open("managed")) {
      fake().calls();
      GpuBlock block = storage.allocate(4096);
      assertWork("cuMemGetInfo_v2()", "cuMemAllocManaged(4096, 1)");
      storage.free(block);
      assertWork("cuMemFree_v2(block#1+0)");
    }
  }

  /** More managed memory than is free is refused, though the driver would give it. */
  @Test
  public void managedMemoryIsNeverMoreThanWhatIsFree() {
    try (GpuStorage others = open("device")) {
      GpuBlock before = others.allocate(MemorySize.ofMiB(16).bytes());
      try (GpuStorage storage = open("managed")) {
        assertThat(storage.properties().total()).isEqualTo(MemorySize.ofMiB(48));
        others.allocate(MemorySize.ofMiB(40).bytes());
        long byteSize = MemorySize.ofMiB(8).bytes() + 1;
        assertThatExceptionOfType(DeviceMemoryException.class)
            .isThrownBy(() -> storage.allocate(byteSize))
            .withMessage(
                "device \"Fake GPU 0\" gives managed memory that it has free alone: asked for"
                    + " 8388609 bytes, free are 8388608 bytes")
            .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason)
            .returns(byteSize, DeviceMemoryException::byteSize);
        assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
        others.free(before);
        storage.allocate(byteSize);
      }
    }
  }

  /** A pool of the driver's is made for the device, and keeps what it is told to. */
  @Test
  public void thePoolOfTheDriverIsMadeAndEnded() {
    StorageOptions options =
        StorageOptions.DEFAULT
            .withIndex(1)
            .withSetting("memory", "async")
            .withSetting("release-threshold", "6GiB");
    try (GpuStorage storage = open(options)) {
      assertThat(fake().work())
          .containsSubsequence(
              "cuStreamCreate(1)",
              "cuMemPoolCreate(type 1, handles 0, location 1:1, at most 0)",
              "cuMemPoolSetAttribute(pool#1, 4, " + (6L << 30) + ")");
      assertThat(storage.blocksOut()).isZero();
    }
    assertThat(fake().work())
        .containsSubsequence("cuMemPoolDestroy(pool#1)", "cuStreamDestroy_v2(stream#1)");
    open("async").close();
    assertThat(fake().work()).contains("cuMemPoolSetAttribute(pool#2, 4, " + (64L << 20) + ")");
  }

  /** Sizes beyond 32 bits reach the driver whole. */
  @ParameterizedTest
  @ValueSource(strings = {"device", "async", "managed", "pinned"})
  public void largeSizesArriveWhole(String memory) {
    fake().reset(MemorySize.ofGiB(1L << 10));
    try (GpuStorage storage = open(memory)) {
      long byteSize = Math.min(MORE_THAN_32_BITS, storage.properties().total().bytes());
      fake().calls();
      GpuBlock block = storage.allocate(byteSize);
      assertThat(fake().work().toString()).contains("(" + byteSize);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment last = arena.allocate(3);
        Patterns.write(last, 1);
        block.write(byteSize - 3, last);
        last.fill((byte) 0);
        block.read(byteSize - 3, last);
        Patterns.verify(last, 1);
      }
      storage.free(block);
    }
  }

  /** Arrays of the heap are copied in pieces, native memory at once. */
  @Test
  public void copiesOfArraysGoInPieces() {
    int length = (5 << 19) + 7;
    try (GpuStorage storage = open();
        Arena arena = Arena.ofConfined()) {
      GpuBlock block = storage.allocate(length + 5L);
      MemorySegment array = MemorySegment.ofArray(new byte[length]);
      Patterns.write(array, 3);
      fake().calls();
      block.write(5, array);
      assertWork(
          "cuMemcpyHtoDAsync_v2(block#1+5, memory, 1048576, stream#1)",
          "cuStreamSynchronize(stream#1)",
          "cuMemcpyHtoDAsync_v2(block#1+1048581, memory, 1048576, stream#1)",
          "cuStreamSynchronize(stream#1)",
          "cuMemcpyHtoDAsync_v2(block#1+2097157, memory, 524295, stream#1)",
          "cuStreamSynchronize(stream#1)");
      MemorySegment found = arena.allocate(length);
      block.read(5, found);
      assertWork(
          "cuMemcpyDtoHAsync_v2(memory, block#1+5, " + length + ", stream#1)",
          "cuStreamSynchronize(stream#1)");
      Patterns.verify(found, 3);
      array.fill((byte) 0);
      block.read(5, array);
      Patterns.verify(array, 3);
    }
  }

  /** Pinned memory is the host's too, and a block says what it is. */
  @Test
  public void pinnedMemoryIsSeenByTheHost() {
    try (GpuStorage storage = open("pinned")) {
      assertThat(storage.properties().has(Feature.HOST_ACCESS)).isTrue();
      GpuBlock block = storage.allocate(100);
      block.segment().fill((byte) 1);
      assertThat(block)
          .hasToString(
              kind().device()
                  + " pinned block of 100 bytes at 0x"
                  + Long.toHexString(block.address()));
    }
  }

  /** The driver's own refusal is told with its figures, and pools free what they hold idle. */
  @Test
  public void outOfMemoryIsToldWithFiguresAndPoolsTrim() {
    try (GpuStorage others = open();
        GpuStorage storage = open();
        MemoryManager manager = manager(storage)) {
      others.allocate(MemorySize.ofMiB(62).bytes());
      try (Allocation first = manager.allocate(1 << 20);
          Allocation second = manager.allocate(1 << 20)) {
        assertThat(first.address()).isNotEqualTo(second.address());
        assertThatExceptionOfType(DeviceMemoryException.class)
            .isThrownBy(() -> storage.allocate(10))
            .withMessage(
                "device \"Fake GPU 0\" is out of memory: asked for 10 bytes, of 67108864 bytes"
                    + " 2097152 are out, the device has 0 free; device \"Fake GPU 0\" fails: "
                    + code("cuMemAlloc_v2", "hipMalloc")
                    + " gives "
                    + code("CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory")
                    + " (2)")
            .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason);
      }
      assertThat(storage.blocksOut()).isEqualTo(2);
      try (MemoryManager second = manager(storage);
          Allocation served = second.allocate(1 << 20)) {
        assertThat(served.byteSize()).isEqualTo(1 << 20);
        assertThat(storage.blocksOut()).isLessThanOrEqualTo(2);
      }
    }
  }

  /** A driver that gives no more allocations, though it has memory, is out of memory too. */
  @ParameterizedTest
  @ValueSource(strings = {"device", "async", "pinned", "managed"})
  public void tooManyAllocationsAreRefusedAndServedLater(String memory) {
    fake().set("max-blocks", 3);
    try (GpuStorage storage = open(memory)) {
      GpuBlock first = storage.allocate(1);
      storage.allocate(1);
      storage.allocate(1);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate(1))
          .returns(Reason.OUT_OF_MEMORY, DeviceMemoryException::reason);
      assertThat(storage.blocksOut()).isEqualTo(3);
      storage.free(first);
      storage.allocate(1);
    }
  }

  /** An address that is not aligned as promised goes back, and is an error. */
  @ParameterizedTest
  @ValueSource(strings = {"device", "async", "pinned", "managed"})
  public void anAddressThatIsNotAlignedIsRefused(String memory) {
    fake().set("misalign", 8);
    try (GpuStorage storage = open(memory)) {
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate(1000))
          .withMessageContaining("gave 1000 bytes at 0x")
          .withMessageEndingWith("which is no multiple of 256")
          .returns(Reason.DRIVER_FAILED, DeviceMemoryException::reason);
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(fake().count("block") + fake().count("host")).isZero();
    }
  }

  /** A block that the driver does not take back stays as it was, and goes back later. */
  @ParameterizedTest
  @ValueSource(strings = {"device", "async", "pinned", "managed"})
  public void aBlockThatIsNotTakenBackStaysValid(String memory) {
    String[] functions = {"cuMemFree_v2", "cuMemFreeAsync", "cuMemFreeHost"};
    String function = functions[memory.equals("async") ? 1 : memory.equals("pinned") ? 2 : 0];
    try (GpuStorage storage = open(memory);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(100);
      GpuBlock block = storage.allocate(100);
      Patterns.write(bytes, 5);
      block.write(0, bytes);
      fake().fail(function, 0, 1);
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.free(block))
          .withMessageContaining(code("CUDA_ERROR_INVALID_VALUE (1)", "hipErrorInvalidValue (1)"))
          .returns(Reason.DRIVER_FAILED, DeviceMemoryException::reason);
      assertThat(storage.allocated()).isEqualTo(MemorySize.of(100));
      block.read(0, bytes);
      Patterns.verify(bytes, 5);
      if (storage.properties().has(Feature.HOST_ACCESS)) {
        Patterns.verify(block.segment(), 5);
      }
      storage.close();
      assertThat(storage.blocksOut()).isEqualTo(1);
      fake().recover();
      storage.close();
      assertThat(storage.blocksOut()).isZero();
    }
  }

  /** A block whose segment is in a native call is not given back under it, and can be later. */
  @ParameterizedTest
  @ValueSource(strings = {"pinned", "managed"})
  public void aBlockInANativeCallIsInUse(String memory) throws Exception {
    try (GpuStorage storage = open(memory)) {
      GpuBlock block = storage.allocate(100);
      MemorySegment segment = block.segment();
      fake().set("hold", 1);
      Thread call = new Thread(() -> fake().use(segment));
      call.start();
      while (fake().count("users") == 0) {
        Thread.onSpinWait();
      }
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.free(block))
          .withMessageContaining("can't be given back while the host accesses it")
          .returns(Reason.IN_USE, DeviceMemoryException::reason);
      segment.fill((byte) 1);
      fake().set("hold", 0);
      call.join();
      storage.free(block);
      assertThat(segment.scope().isAlive()).isFalse();
    }
  }

  /** Another thread's current device is as it was, whatever a storage does. */
  @Test
  public void threadsAreLeftAsTheyWere() throws Exception {
    try (GpuStorage storage = open(StorageOptions.DEFAULT.withIndex(1))) {
      Thread thread =
          new Thread(
              () -> {
                GpuBlock block = storage.allocate(100);
                block.write(0, MemorySegment.ofArray(new byte[100]));
                storage.free(block);
              });
      thread.start();
      thread.join();
      assertThat(storage.blocksOut()).isZero();
      fake().calls();
      storage.free(storage.allocate(1));
      if (kind() == FakeDriver.Kind.CUDA) {
        assertThat(fake().calls().getFirst()).isEqualTo("cuCtxPushCurrent_v2(1)");
      } else {
        assertThat(fake().calls()).startsWith("hipGetDevice()", "hipSetDevice(1)");
      }
    }
  }
}
