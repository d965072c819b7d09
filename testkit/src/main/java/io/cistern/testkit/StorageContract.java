package io.cistern.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every storage holds to: a device's tests extend this once for each kind of block it has.
 *
 * <p>What a device declares as a {@link Feature} is tested, what it does not declare is tested to
 * be refused. JUnit runs the methods; nothing else calls them.
 */
public abstract class StorageContract {

  private static final int THREADS = 4;
  private static final int ROUNDS = 100;

  private Storage storage;
  private DeviceProperties device;
  private Subject subject;

  /** For subjects. */
  @SuppressWarnings("NullAway.Init") // JUnit calls openSubject first.
  protected StorageContract() {}

  /**
   * Opens a storage of its own for each test, with nothing out and 16 MiB or more to give. Each
   * call gives another one; the contract closes it.
   *
   * @throws Exception if it can't be opened; the test fails
   */
  protected abstract Storage open() throws Exception;

  /** Runs before each test. */
  @BeforeEach
  public final void openSubject() throws Exception {
    storage = open();
    device = storage.properties();
    subject = new Subject(storage);
  }

  /** Runs after each test. */
  @AfterEach
  public final void closeSubject() {
    storage.close();
  }

  /**
   * Alignments are powers of two, a block's at least a slice's; the device has a name and memory.
   */
  @Test
  public void propertiesAreSoundAndStay() {
    assertThat(device.name()).isNotBlank();
    assertThat(device.total().bytes()).isPositive();
    assertThat(device.maxPageSize().bytes()).isPositive();
    assertThat(Long.bitCount(device.byteAlignment())).isOne();
    assertThat(Long.bitCount(device.blockAlignment())).isOne();
    assertThat(device.byteAlignment()).isPositive();
    assertThat(device.blockAlignment()).isGreaterThanOrEqualTo(device.byteAlignment());
    assertThat(storage.properties()).isEqualTo(device);
  }

  /** A block has the size that was asked for, whatever the driver rounds up to. */
  @Test
  public void blocksHaveTheSizeAskedFor() {
    for (long byteSize : subject.sizes()) {
      assertThat(storage.allocate(byteSize).byteSize()).isEqualTo(byteSize);
    }
  }

  /** A block's base is a multiple of the block alignment, where it has one. */
  @Test
  public void blocksStartAtTheBlockAlignment() {
    for (StorageBlock block : subject.blocks()) {
      if (device.has(Feature.ADDRESS)) {
        assertThat(block.address()).isNotZero();
        assertThat(block.address() % device.blockAlignment()).isZero();
      }
      if (device.has(Feature.HOST_ACCESS)) {
        assertThat(block.segment().address() % device.blockAlignment()).isZero();
      }
    }
  }

  /** Blocks that are out have no address in common, also after others went back. */
  @Test
  public void blocksDoNotOverlap() {
    List<StorageBlock> blocks = subject.blocks();
    for (int i = 0; i < blocks.size(); i += 2) {
      storage.free(blocks.get(i));
      blocks.set(i, storage.allocate(blocks.get(i).byteSize() + 1));
    }
    if (device.has(Feature.ADDRESS)) {
      blocks.sort(Comparator.comparingLong(StorageBlock::address));
      for (int i = 1; i < blocks.size(); i++) {
        StorageBlock before = blocks.get(i - 1);
        assertThat(blocks.get(i).address())
            .isGreaterThanOrEqualTo(before.address() + before.byteSize());
      }
    }
    subject.writeAll(blocks);
    subject.verifyAll(blocks);
  }

  /** A segment is the whole block and no byte more, and writable. */
  @Test
  public void segmentsAreBoundedToTheBlock() {
    for (StorageBlock block : subject.blocks()) {
      if (device.has(Feature.HOST_ACCESS)) {
        MemorySegment segment = block.segment();
        assertThat(segment.byteSize()).isEqualTo(block.byteSize());
        assertThat(segment.isReadOnly()).isFalse();
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, block.byteSize()));
        if (device.has(Feature.ADDRESS)) {
          assertThat(segment.address()).isEqualTo(block.address());
        }
      }
    }
  }

  /** What was written stays, whatever becomes of other blocks. */
  @Test
  public void bytesStay() {
    List<StorageBlock> blocks = subject.blocks();
    subject.writeAll(blocks);
    List<StorageBlock> gone = blocks.subList(0, blocks.size() / 2);
    gone.forEach(storage::free);
    List<StorageBlock> others = subject.blocks();
    others.forEach(block -> subject.write(block, -1));
    for (int i = gone.size(); i < blocks.size(); i++) {
      subject.verify(blocks.get(i), i);
    }
    others.forEach(block -> subject.verify(block, -1));
  }

  /** Copies reach exactly the bytes they name, and none beyond the block. */
  @Test
  public void copiesReachExactlyTheirBytes() {
    if (!device.has(Feature.COPY)) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      for (StorageBlock block : subject.blocks()) {
        long byteSize = block.byteSize();
        MemorySegment zeros = arena.allocate(byteSize);
        block.write(0, zeros);
        long from = byteSize / 3;
        MemorySegment ones = arena.allocate(byteSize - from - byteSize / 4).fill((byte) 1);
        block.write(from, ones);
        MemorySegment found = arena.allocate(byteSize).fill((byte) 2);
        block.read(0, found);
        zeros.asSlice(from, ones.byteSize()).copyFrom(ones);
        assertThat(found.mismatch(zeros)).isEqualTo(-1);
        MemorySegment part = arena.allocate(ones.byteSize());
        block.read(from, part);
        assertThat(part.mismatch(ones)).isEqualTo(-1);
        assertOutside(block, 1, zeros);
        assertOutside(block, -1, zeros);
        assertOutside(block, Long.MAX_VALUE, zeros);
      }
    }
  }

  private static void assertOutside(StorageBlock block, long byteOffset, MemorySegment bytes) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> block.read(byteOffset, bytes));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> block.write(byteOffset, bytes));
  }

  /** A block that is back is not copied from or to. */
  @Test
  public void copiesEndWithTheirBlock() {
    if (!device.has(Feature.COPY)) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(64);
      StorageBlock block = storage.allocate(64);
      storage.free(block);
      assertThatIllegalStateException().isThrownBy(() -> block.read(0, bytes));
      assertThatIllegalStateException().isThrownBy(() -> block.write(0, bytes));
      StorageBlock left = storage.allocate(64);
      storage.close();
      assertThatIllegalStateException().isThrownBy(() -> left.read(0, bytes));
      assertThatIllegalStateException().isThrownBy(() -> left.write(0, bytes));
    }
  }

  /** What a device does not declare it refuses. */
  @Test
  public void whatIsNotDeclaredIsRefused() {
    StorageBlock block = storage.allocate(1);
    if (!device.has(Feature.HOST_ACCESS)) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(block::segment)
          .withMessageContaining(device.name());
    }
    if (!device.has(Feature.COPY)) {
      assertThat(device.has(Feature.HOST_ACCESS)).as("what the host sees it can copy").isFalse();
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> block.read(0, MemorySegment.ofArray(new byte[1])))
          .withMessageContaining(device.name());
    }
    if (!device.has(Feature.ADDRESS)) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(block::address)
          .withMessageContaining(device.name());
    }
  }

  /** A block has at least one byte. */
  @Test
  public void sizesBelowOneAreRefused() {
    for (long byteSize : new long[] {0, -1, Long.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> storage.allocate(byteSize))
          .withMessageContaining(String.valueOf(byteSize));
    }
  }

  /** More than the device has is refused, without wrapping, and nothing changes. */
  @Test
  public void moreThanThereIsIsRefused() {
    List<StorageBlock> blocks = subject.blocks();
    subject.writeAll(blocks);
    for (long byteSize :
        new long[] {
          device.total().bytes() + 1,
          Long.MAX_VALUE - device.blockAlignment(),
          Long.MAX_VALUE - 1,
          Long.MAX_VALUE
        }) {
      assertThatExceptionOfType(DeviceMemoryException.class)
          .isThrownBy(() -> storage.allocate(byteSize))
          .withMessageContaining(String.valueOf(byteSize))
          .returns(byteSize, DeviceMemoryException::byteSize);
    }
    subject.verifyAll(blocks);
    blocks.forEach(storage::free);
    assertThat(storage.allocate(1).byteSize()).isOne();
  }

  /** A device that is full refuses, and serves again after a block went back. */
  @Test
  public void aFullDeviceServesAgainAfterAGiveBack() {
    fillAndServeAgain();
  }

  private void fillAndServeAgain() {
    long byteSize = Math.max(1, device.total().bytes() / 4);
    List<StorageBlock> blocks = new ArrayList<>();
    DeviceMemoryException refusal = null;
    while (refusal == null) {
      assertThat(blocks.size()).as("blocks of a quarter of the device").isLessThanOrEqualTo(7);
      try {
        blocks.add(storage.allocate(byteSize));
      } catch (DeviceMemoryException e) {
        refusal = e;
      }
    }
    assertThat(refusal.byteSize()).isEqualTo(byteSize);
    storage.free(blocks.removeLast());
    assertThat(storage.allocate(byteSize).byteSize()).isEqualTo(byteSize);
  }

  /** A segment that is kept beyond the give-back throws. */
  @Test
  public void segmentsEndWithTheirBlock() {
    for (StorageBlock block : subject.blocks()) {
      if (device.has(Feature.HOST_ACCESS)) {
        MemorySegment segment = block.segment();
        MemorySegment slice = segment.asSlice(0, 1);
        storage.free(block);
        Subject.assertEnded(segment);
        Subject.assertEnded(slice);
      }
    }
  }

  /** A block of another storage is refused, and stays where it belongs. */
  @Test
  public void foreignBlocksAreRefused() throws Exception {
    StorageBlock mine = storage.allocate(64);
    try (Storage other = open()) {
      StorageBlock foreign = other.allocate(64);
      subject.write(foreign, 1);
      assertThatIllegalArgumentException().isThrownBy(() -> storage.free(foreign));
      subject.verify(foreign, 1);
      other.free(foreign);
    }
    StorageBlock fake =
        new StorageBlock() {
          @Override
          public long byteSize() {
            return mine.byteSize();
          }

          @Override
          public MemorySegment segment() {
            return mine.segment();
          }

          @Override
          public long address() {
            return mine.address();
          }
        };
    assertThatIllegalArgumentException().isThrownBy(() -> storage.free(fake));
    storage.free(mine);
  }

  /** A block is given back once, and a second time does not reach the next owner of its place. */
  @Test
  public void aSecondGiveBackIsRefused() {
    StorageBlock first = storage.allocate(4096);
    storage.free(first);
    StorageBlock next = storage.allocate(4096);
    subject.write(next, 2);
    assertThatIllegalArgumentException().isThrownBy(() -> storage.free(first));
    subject.verify(next, 2);
    storage.free(next);
  }

  /** A close gives everything back and ends the storage; a second one does nothing. */
  @Test
  public void aCloseGivesEverythingBack() {
    List<StorageBlock> blocks = subject.blocks();
    List<MemorySegment> segments = new ArrayList<>();
    if (device.has(Feature.HOST_ACCESS)) {
      blocks.forEach(block -> segments.add(block.segment()));
    }
    storage.close();
    segments.forEach(Subject::assertEnded);
    assertThatIllegalStateException().isThrownBy(() -> storage.allocate(1));
    assertThatIllegalArgumentException().isThrownBy(() -> storage.free(blocks.getFirst()));
    storage.close();
    assertThat(storage.properties()).isEqualTo(device);
  }

  /** Slices of pools of every kind keep their bytes, and everything goes back. */
  @Test
  public void poolsKeepTheirBytes() {
    for (long seed = 0; seed < 3; seed++) {
      new PoolsOnStorage(storage, seed).run();
    }
    // All that was out is back.
    fillAndServeAgain();
  }

  /** Threads that allocate and give back at once do not meet in memory, nor lose any. */
  @Test
  public void manyThreadsAreServed() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Callable<Boolean>> work = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        work.add(() -> allocateAndFree(number));
      }
      for (Future<Boolean> done : threads.invokeAll(work)) {
        assertThat(done.get()).isTrue();
      }
    }
    // All that was out is back.
    fillAndServeAgain();
  }

  private boolean allocateAndFree(int thread) {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = (long) thread * ROUNDS + round;
      StorageBlock first = storage.allocate(1 + seed % 8192);
      StorageBlock second = storage.allocate(4096);
      subject.write(first, seed);
      subject.write(second, ~seed);
      subject.verify(first, seed);
      storage.free(first);
      subject.verify(second, ~seed);
      storage.free(second);
    }
    return true;
  }
}
