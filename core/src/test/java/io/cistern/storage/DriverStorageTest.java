package io.cistern.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import io.cistern.MemorySize;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The account that every driver's storage keeps; the contract suite runs on the devices. */
class DriverStorageTest {

  private static final class Block implements StorageBlock {
    private final long byteSize;

    Block(long byteSize) {
      this.byteSize = byteSize;
    }

    @Override
    public long byteSize() {
      return byteSize;
    }

    @Override
    public MemorySegment segment() {
      throw new UnsupportedOperationException("no memory");
    }

    @Override
    public long address() {
      throw new UnsupportedOperationException("no addresses");
    }
  }

  /** A driver that can be told to fail, and notes its calls. */
  private static final class Driver extends DriverStorage<Block> {
    private final List<String> calls = new ArrayList<>();
    private final boolean takesAll;
    private boolean fails;

    Driver(long maxBlockByteSize, long maxBlocks, boolean takesAll) {
      super(
          new DeviceProperties("driver", MemorySize.of(1000), MemorySize.of(250), 1, 1, Set.of()),
          Block.class,
          maxBlockByteSize,
          maxBlocks);
      this.takesAll = takesAll;
    }

    @Override
    protected Block make(long byteSize) {
      check(byteSize);
      calls.add("make " + byteSize);
      return new Block(byteSize);
    }

    @Override
    protected void giveBack(Block block) {
      check(block.byteSize());
      calls.add("give back " + block.byteSize());
    }

    @Override
    protected boolean end() {
      calls.add("end");
      return takesAll;
    }

    private void check(long byteSize) {
      if (fails) {
        throw new DeviceMemoryException("told to fail", byteSize, Reason.DRIVER_FAILED);
      }
    }
  }

  private static void assertRefused(Driver driver, long byteSize, Reason reason, String... says) {
    MemorySize before = driver.allocated();
    int blocks = driver.blocksOut();
    assertThatExceptionOfType(DeviceMemoryException.class)
        .isThrownBy(() -> driver.allocate(byteSize))
        .returns(reason, DeviceMemoryException::reason)
        .returns(byteSize, DeviceMemoryException::byteSize)
        .satisfies(e -> assertThat(e.getMessage()).contains("\"driver\"").contains(says));
    assertThat(driver.allocated()).isEqualTo(before);
    assertThat(driver.blocksOut()).isEqualTo(blocks);
  }

  @Test
  void limitsAreCheckedBeforeTheDriverIsAsked() {
    try (Driver driver = new Driver(600, 2, true)) {
      assertRefused(driver, 601, Reason.BLOCK_TOO_LARGE, "at most 600 bytes", "for 601 bytes");
      assertRefused(driver, 1001, Reason.OUT_OF_MEMORY, "for 1001 bytes", "of 1000 bytes 0");
      driver.allocate(600);
      assertRefused(driver, 401, Reason.OUT_OF_MEMORY, "of 1000 bytes 600 are out");
      Block small = driver.allocate(1);
      assertRefused(driver, 1, Reason.TOO_MANY_BLOCKS, "at most 2 blocks");
      driver.free(small);
      driver.allocate(400);
      assertThat(driver.allocated()).isEqualTo(MemorySize.of(1000));
      assertThat(driver.calls).containsExactly("make 600", "make 1", "give back 1", "make 400");
    }
  }

  @Test
  void aDriverThatFailsChangesNothing() {
    try (Driver driver = new Driver(DriverStorage.UNLIMITED, DriverStorage.UNLIMITED, true)) {
      Block block = driver.allocate(10);
      driver.fails = true;
      assertThatExceptionOfType(DeviceMemoryException.class).isThrownBy(() -> driver.allocate(20));
      assertThatExceptionOfType(DeviceMemoryException.class).isThrownBy(() -> driver.free(block));
      assertThat(driver.allocated()).isEqualTo(MemorySize.of(10));
      assertThat(driver.blocksOut()).isOne();
      driver.fails = false;
      driver.free(block);
      assertThat(driver.allocated()).isEqualTo(MemorySize.ZERO);
      assertThatIllegalArgumentException().isThrownBy(() -> driver.free(block));
    }
  }

  /** A context that is destroyed takes its blocks along; host memory stays until it is let go. */
  @Test
  void whatCouldNotBeGivenBackIsGoneOrStaysAsTheDriverSays() {
    for (boolean takesAll : new boolean[] {true, false}) {
      Driver driver = new Driver(DriverStorage.UNLIMITED, DriverStorage.UNLIMITED, takesAll);
      Block block = driver.allocate(10);
      driver.freeLeftOut(block);
      driver.fails = true;
      driver.close();
      assertThat(driver.blocksOut()).isEqualTo(takesAll ? 0 : 1);
      assertThat(driver.calls).containsExactly("make 10", "end");
      assertThatIllegalStateException()
          .isThrownBy(() -> driver.allocate(1))
          .withMessageContaining("closed");
      driver.fails = false;
      driver.freeLeftOut(block);
      assertThat(driver.allocated()).isEqualTo(MemorySize.ZERO);
      assertThatIllegalArgumentException().isThrownBy(() -> driver.free(block));
      driver.close();
    }
  }
}
