package io.cistern.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.lwjgl.opencl.CL10.CL_QUEUE_REFERENCE_COUNT;
import static org.lwjgl.opencl.CL10.clGetCommandQueueInfo;
import static org.lwjgl.opencl.CL10.clReleaseContext;
import static org.lwjgl.opencl.CL10.clRetainContext;
import static org.lwjgl.opencl.CL11.clSetMemObjectDestructorCallback;

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
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageBlock;
import io.cistern.storage.StorageOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.lwjgl.opencl.CLMemObjectDestructorCallback;

@EnabledIf(
    value = "io.cistern.opencl.OpenClDriver#isThere",
    disabledReason = "no OpenCL device: install a driver such as PoCL")
class OpenClStorageTest {

  private static final MemoryPoolsConfig ONE_SLICED =
      MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofKiB(64)));

  private static OpenClDevice device() {
    return OpenClDevices.find().devices().getFirst();
  }

  @Test
  void theDeviceIsAsTheDriverSays() {
    DeviceInfo found = new OpenClStorageProvider().devices().devices().getFirst();
    OpenClDevice device = device();
    assertThat(found.driver()).isNotBlank();
    assertThat(found.limits())
        .containsEntry("max-block-bytes", device.maxBlockByteSize())
        .containsEntry("base-address-alignment", device.byteAlignment());
    try (OpenClStorage storage = OpenClStorage.open(StorageOptions.DEFAULT)) {
      DeviceProperties properties = storage.properties();
      assertThat(properties).isEqualTo(found.properties());
      assertThat(properties.total().bytes()).isEqualTo(device.total());
      assertThat(properties.byteAlignment()).isEqualTo(device.byteAlignment());
      assertThat(properties.maxPageSize().bytes()).isLessThanOrEqualTo(device.maxBlockByteSize());
      assertThat(properties.features()).containsExactly(Feature.COPY);
    }
  }

  @Test
  void wrongOptionsAreRefused() {
    StorageOptions options = StorageOptions.DEFAULT;
    int count = OpenClDevices.find().devices().size();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenClStorage.open(options.withIndex(count)))
        .withMessage("there is no device opencl:" + count + ", only " + count + " of that kind");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenClStorage.open(options.withByteAlignment(1)))
        .withMessageContaining("power of two of at least " + device().byteAlignment());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenClStorage.open(options.withByteAlignment(3000)))
        .withMessageContaining("3000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenClStorage.open(options.withSetting("memory", "mapped")))
        .withMessageContaining("buffer, svm-coarse, svm-fine");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OpenClStorage.open(options.withSetting("pinned", "true")))
        .withMessageContaining("memory");
  }

  @Test
  void aBlockIsNoLargerThanTheDriverAllows() {
    long largest = device().maxBlockByteSize();
    try (OpenClStorage storage = OpenClStorage.open(StorageOptions.DEFAULT)) {
      if (largest < storage.properties().total().bytes()) {
        assertThatExceptionOfType(DeviceMemoryException.class)
            .isThrownBy(() -> storage.allocate(largest + 1))
            .returns(Reason.BLOCK_TOO_LARGE, DeviceMemoryException::reason)
            .withMessageContaining("at most " + largest);
      }
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  /** What the driver itself refuses, told by its code. */
  @Test
  void aRefusalOfTheDriverIsToldByNameAndNumber() {
    try (OpenClStorage storage = OpenClDriver.open("buffer")) {
      long tooLarge = device().maxBlockByteSize() * 64;
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> BufferBlock.make(storage, tooLarge))
          .returns(tooLarge, DeviceMemoryException::byteSize)
          .withMessageMatching(
              ".*clCreateBuffer of " + tooLarge + " bytes gives CL_\\w+ \\(-\\d+\\)");
    }
  }

  @Test
  void codesHaveReasons() {
    assertThat(OpenClErrors.refused("d", "c", 1, -4).reason()).isEqualTo(Reason.OUT_OF_MEMORY);
    assertThat(OpenClErrors.refused("d", "c", 1, -5).reason()).isEqualTo(Reason.OUT_OF_MEMORY);
    assertThat(OpenClErrors.refused("d", "c", 1, -61).reason()).isEqualTo(Reason.BLOCK_TOO_LARGE);
    assertThat(OpenClErrors.refused("d", "c", 1, -2).reason()).isEqualTo(Reason.DEVICE_LOST);
    assertThat(OpenClErrors.refused("d", "c", 1, -34))
        .returns(Reason.DRIVER_FAILED, DeviceMemoryException::reason)
        .hasMessageContaining("CL_INVALID_CONTEXT (-34)");
    assertThat(OpenClErrors.name(-9999)).isEqualTo("OpenCL error (-9999)");
  }

  /** The pools give idle memory back, and serve again, when the device is full. */
  @Test
  void aFullDeviceIsTidiedUp() {
    MemoryPoolsConfig pools = MemoryPoolsConfig.of(MemoryPoolConfig.direct());
    try (OpenClStorage storage = OpenClDriver.open("buffer");
        MemoryManager memory = MemoryManager.open(storage, pools)) {
      memory.allocate(40L << 20).close();
      try (Allocation larger = memory.allocate(60L << 20)) {
        assertThat(larger.byteSize()).isEqualTo(60L << 20);
        assertThat(storage.blocksOut()).isOne();
      }
    }
  }

  @Test
  void aUsersContextIsHeldUntilTheClose() {
    try (OpenClStorage own = OpenClDriver.open("buffer")) {
      int before = OpenClDriver.references(own.context());
      OpenClStorage storage = OpenClStorage.open(own.context(), own.device(), OpenClDriver.SMALL);
      assertThat(storage.context()).isEqualTo(own.context());
      assertThat(OpenClDriver.references(own.context())).isGreaterThan(before);
      storage.allocate(1000);
      storage.close();
      assertThat(OpenClDriver.references(own.context())).isEqualTo(before);
      storage.close();
      assertThat(OpenClDriver.references(own.context())).isEqualTo(before);
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  OpenClStorage.open(
                      own.context(), own.device(), OpenClDriver.SMALL.withByteAlignment(1)));
      assertThat(OpenClDriver.references(own.context())).isEqualTo(before);
    }
  }

  /**
   * Queues, events, buffers and sub-buffers hold their context, so that a count of 1 says none is
   * left.
   */
  @Test
  void nothingIsLeftBehind() {
    OpenClStorage storage = OpenClDriver.open("buffer");
    long context = storage.context();
    clRetainContext(context);
    try {
      try (OpenClQueue queue = OpenClQueue.open(storage);
          MemoryManager memory = MemoryManager.open(storage, ONE_SLICED)) {
        OpenClSlice left = OpenClSlice.of(memory.allocate(100));
        OpenClSlice open = OpenClSlice.of(memory.allocate(100));
        OpenClFence filled = queue.fill(left.allocation(), 0, 100, (byte) 1);
        queue.finish();
        assertThat(filled.hasPassed()).isTrue();
        assertThat(left.mem()).isNotZero();
        assertThat(open.mem()).isNotZero();
        left.close();
        assertThatIllegalStateException().isThrownBy(left::close);
        assertThatIllegalStateException().isThrownBy(left::mem);
      }
      storage.close();
      assertThat(OpenClDriver.references(context)).isOne();
    } finally {
      clReleaseContext(context);
    }
  }

  /** A live sub-buffer would hold the memory of its block. */
  @Test
  void aBlockEndsWithItsSubBuffers() throws InterruptedException {
    CountDownLatch destroyed = new CountDownLatch(1);
    try (OpenClStorage storage = OpenClDriver.open("buffer");
        CLMemObjectDestructorCallback callback =
            CLMemObjectDestructorCallback.create((_, _) -> destroyed.countDown())) {
      MemoryManager memory = MemoryManager.open(storage, ONE_SLICED);
      OpenClSlice slice = OpenClSlice.of(memory.allocate(100));
      long block = slice.allocation().block(OpenClBlock.class).mem();
      OpenClDriver.check(clSetMemObjectDestructorCallback(block, callback, 0));
      assertThat(slice.mem()).isNotEqualTo(block);
      assertThat(destroyed.getCount()).isOne();
      memory.close();
      assertThat(destroyed.await(60, TimeUnit.SECONDS)).isTrue();
      assertThatIllegalStateException().isThrownBy(slice::mem);
      slice.close();
    }
  }

  @Test
  void aSliceOfTheWholeBlockIsTheBlock() {
    MemoryPoolsConfig pools = MemoryPoolsConfig.of(MemoryPoolConfig.direct());
    try (OpenClStorage storage = OpenClDriver.open("buffer");
        MemoryManager memory = MemoryManager.open(storage, pools);
        OpenClSlice slice = OpenClSlice.of(memory.allocate(4096))) {
      OpenClBlock block = slice.allocation().block(OpenClBlock.class);
      assertThat(slice.mem()).isEqualTo(block.mem());
      assertThat(block.storage()).isSameAs(storage);
    }
  }

  @Test
  void whatIsNoBufferOfOpenClIsNoSlice() {
    try (OpenClStorage shared = OpenClDriver.open("svm-fine");
        MemoryManager memory = MemoryManager.open(shared, ONE_SLICED);
        Allocation slice = memory.allocate(100)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> OpenClSlice.of(slice))
          .withMessageContaining("a slice is an address");
      StorageBlock block = slice.block();
      assertThatIllegalArgumentException().isThrownBy(() -> ((OpenClBlock) block).mem());
    }
    try (SimulatedStorage simulated = SimulatedStorage.withCapacity(MemorySize.ofMiB(1));
        MemoryManager memory = MemoryManager.open(simulated, ONE_SLICED);
        Allocation slice = memory.allocate(100)) {
      assertThatIllegalArgumentException().isThrownBy(() -> OpenClSlice.of(slice));
    }
  }

  @Test
  void aUsersQueueIsHeldUntilTheClose() {
    try (OpenClStorage storage = OpenClDriver.open("buffer");
        OpenClQueue own = OpenClQueue.open(storage)) {
      OpenClQueue same = OpenClQueue.of(own.queue());
      assertThat(references(own)).isEqualTo(2);
      same.close();
      same.close();
      assertThat(references(own)).isOne();
    }
  }

  private static int references(OpenClQueue queue) {
    int[] count = new int[1];
    clGetCommandQueueInfo(queue.queue(), CL_QUEUE_REFERENCE_COUNT, count, null);
    return count[0];
  }
}
