package io.cistern.opencl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.lwjgl.opencl.CL10.CL_COMPLETE;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL10.clSetKernelArg1b;
import static org.lwjgl.opencl.CL10.clSetKernelArg1p;
import static org.lwjgl.opencl.CL11.clCreateUserEvent;
import static org.lwjgl.opencl.CL11.clSetUserEventStatus;
import static org.lwjgl.opencl.CL20.nclSetKernelArgSVMPointer;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real kernels on slices of one page. */
@EnabledIf(
    value = "io.cistern.opencl.OpenClDriver#isThere",
    disabledReason = "no OpenCL device: install a driver such as PoCL")
class OpenClKernelTest {

  private static final String SET =
      "kernel void set(global uchar* to, uchar value) { to[get_global_id(0)] = value; }";
  private static final String ADD =
      "kernel void add(global uchar* to, global const uchar* from)"
          + " { to[get_global_id(0)] += from[get_global_id(0)]; }";

  private static final MemoryPoolsConfig ONE_PAGE =
      MemoryPoolsConfig.of(
          MemoryPoolConfig.sliced(MemorySize.ofKiB(64)).withMaxPoolSize(MemorySize.ofKiB(64)));

  private OpenClStorage storage;
  private OpenClQueue queue;

  @BeforeEach
  void open() {
    storage = OpenClDriver.open("buffer");
    queue = OpenClQueue.open(storage);
  }

  @AfterEach
  void close() {
    queue.close();
    storage.close();
  }

  private static void assertAll(Allocation slice, int value) {
    MemorySegment found = MemorySegment.ofArray(new byte[(int) slice.byteSize()]);
    slice.read(0, found);
    MemorySegment expected =
        MemorySegment.ofArray(new byte[(int) slice.byteSize()]).fill((byte) value);
    assertThat(found.mismatch(expected)).as("first byte that is not " + value).isEqualTo(-1);
  }

  @Test
  void aKernelWritesItsSliceAndNoNeighbour() {
    try (MemoryManager memory = MemoryManager.open(storage, ONE_PAGE);
        OpenClSlice left = OpenClSlice.of(memory.allocate(1000));
        OpenClSlice middle = OpenClSlice.of(memory.allocate(1000));
        OpenClSlice right = OpenClSlice.of(memory.allocate(1000));
        OpenClDriver.Kernel set = new OpenClDriver.Kernel(storage, "set", SET)) {
      assertThat(left.allocation().block()).isSameAs(right.allocation().block());
      queue.fill(left.allocation(), 0, 1000, (byte) 1);
      queue.fill(middle.allocation(), 0, 1000, (byte) 2);
      queue.fill(right.allocation(), 0, 1000, (byte) 3);
      clSetKernelArg1p(set.kernel, 0, middle.mem());
      clSetKernelArg1b(set.kernel, 1, (byte) 9);
      set.run(queue, 1000, 0);
      queue.finish();
      assertAll(left.allocation(), 1);
      assertAll(middle.allocation(), 9);
      assertAll(right.allocation(), 3);
    }
  }

  @Test
  void aKernelUsesTwoSlicesOfOnePage() {
    try (MemoryManager memory = MemoryManager.open(storage, ONE_PAGE);
        OpenClSlice to = OpenClSlice.of(memory.allocate(500));
        OpenClSlice between = OpenClSlice.of(memory.allocate(500));
        OpenClSlice from = OpenClSlice.of(memory.allocate(500));
        OpenClDriver.Kernel add = new OpenClDriver.Kernel(storage, "add", ADD)) {
      queue.fill(to.allocation(), 0, 500, (byte) 10);
      queue.fill(between.allocation(), 0, 500, (byte) 50);
      queue.fill(from.allocation(), 0, 500, (byte) 7);
      assertThat(to.mem()).isNotEqualTo(from.mem()).isEqualTo(to.mem());
      clSetKernelArg1p(add.kernel, 0, to.mem());
      clSetKernelArg1p(add.kernel, 1, from.mem());
      add.run(queue, 500, 0);
      queue.finish();
      assertAll(to.allocation(), 17);
      assertAll(between.allocation(), 50);
      assertAll(from.allocation(), 7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"svm-coarse", "svm-fine"})
  void aKernelGetsTheAddressOfASharedSlice(String kind) {
    try (OpenClStorage shared = OpenClDriver.open(kind);
        OpenClQueue work = OpenClQueue.open(shared);
        MemoryManager memory = MemoryManager.open(shared, ONE_PAGE);
        Allocation left = memory.allocate(300);
        Allocation right = memory.allocate(300);
        OpenClDriver.Kernel set = new OpenClDriver.Kernel(shared, "set", SET)) {
      work.fill(left, 0, 300, (byte) 1);
      work.fill(right, 0, 300, (byte) 2);
      OpenClDriver.check(nclSetKernelArgSVMPointer(set.kernel, 0, right.address()));
      clSetKernelArg1b(set.kernel, 1, (byte) 5);
      set.run(work, 100, 0);
      work.copy(right, 0, left, 200, 100);
      work.finish();
      MemorySegment found = MemorySegment.ofArray(new byte[300]);
      left.read(0, found);
      assertThat(found.asSlice(0, 200).toArray(JAVA_BYTE)).containsOnly(1);
      assertThat(found.asSlice(200, 100).toArray(JAVA_BYTE)).containsOnly(5);
      right.read(0, found);
      assertThat(found.asSlice(0, 100).toArray(JAVA_BYTE)).containsOnly(5);
      assertThat(found.asSlice(100, 200).toArray(JAVA_BYTE)).containsOnly(2);
    }
  }

  @Test
  void copiesAndFillsStayWithinTheirRanges() {
    try (MemoryManager memory = MemoryManager.open(storage, ONE_PAGE);
        Allocation left = memory.allocate(1000);
        Allocation right = memory.allocate(1000)) {
      queue.fill(left, 0, 1000, (byte) 1);
      queue.fill(right, 0, 1000, (byte) 2);
      queue.fill(left, 990, 10, (byte) 3);
      OpenClFence copied = queue.copy(left, 985, right, 5, 10);
      queue.finish();
      assertThat(copied.hasPassed()).isTrue();
      MemorySegment found = MemorySegment.ofArray(new byte[20]);
      right.read(0, found);
      assertThat(found.toArray(JAVA_BYTE))
          .containsExactly(2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> queue.fill(left, 991, 10, (byte) 0));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> queue.copy(left, 991, right, 0, 10));
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> queue.copy(left, 0, right, -1, 10));
    }
  }

  /** The kernel waits for an event of ours, so it is running for as long as the test likes. */
  @Test
  void aSliceIsOutOfReachWhileAKernelUsesIt() {
    long start = clCreateUserEvent(storage.context(), new int[1]);
    try (MemoryManager memory = MemoryManager.open(storage, ONE_PAGE);
        OpenClDriver.Kernel set = new OpenClDriver.Kernel(storage, "set", SET)) {
      OpenClSlice used = OpenClSlice.of(memory.allocate(48 * 1024));
      long offset = used.allocation().byteOffset();
      clSetKernelArg1p(set.kernel, 0, used.mem());
      clSetKernelArg1b(set.kernel, 1, (byte) 4);
      set.run(queue, 48 * 1024, start);
      OpenClFence fence = queue.fence();
      used.usedUntil(fence);
      used.close();
      assertThat(fence.hasPassed()).isFalse();
      try (Allocation other = memory.allocate(8 * 1024)) {
        assertThat(other.byteOffset()).isGreaterThanOrEqualTo(offset + 48 * 1024);
      }
      assertThat(memory.usage().pending()).isEqualTo(MemorySize.ofKiB(48));

      // A request that needs the slice waits for the kernel.
      Thread starter = Thread.ofVirtual().unstarted(() -> clSetUserEventStatus(start, CL_COMPLETE));
      starter.start();
      try (Allocation next = memory.allocate(48 * 1024)) {
        assertThat(fence.hasPassed()).isTrue();
        assertThat(next.byteOffset()).isEqualTo(offset);
        assertAll(next, 4);
      }
    } finally {
      clSetUserEventStatus(start, CL_COMPLETE);
      clReleaseEvent(start);
    }
  }
}
