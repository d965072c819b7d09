package io.cistern.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cistern.MemorySize;
import io.cistern.storage.StorageBlock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BytesStorageTest {

  @Test
  void blocksThatAreOnlyCountedCostNoMemory() {
    try (BytesStorage storage = BytesStorage.of(256, 65_536)) {
      StorageBlock block = storage.allocate(1L << 46);
      assertThat(storage.allocated().bytes()).isEqualTo(1L << 46);
      storage.free(block);
      assertThat(storage.allocated()).isEqualTo(MemorySize.ZERO);
    }
  }

  @Test
  void manySmallBlocksKeepTheirBytes() {
    try (BytesStorage storage = BytesStorage.of(8, 8, MemorySize.ofMiB(1))) {
      List<StorageBlock> blocks = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        blocks.add(storage.allocate(8));
        Patterns.write(blocks.getLast().segment(), i);
      }
      for (int i = 0; i < blocks.size(); i++) {
        Patterns.verify(blocks.get(i).segment(), i);
      }
    }
  }

  @Test
  void alignmentsThatCanNotBeAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BytesStorage.of(256, 128))
        .withMessageContaining("256 and 128");
    assertThatIllegalArgumentException().isThrownBy(() -> BytesStorage.of(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> BytesStorage.of(48, 64));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BytesStorage.of(Long.MIN_VALUE, Long.MIN_VALUE));
  }
}
