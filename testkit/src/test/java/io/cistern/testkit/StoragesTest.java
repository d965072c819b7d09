package io.cistern.testkit;

import io.cistern.MemorySize;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.LimitedStorage;
import io.cistern.storage.RecordingStorage;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.Storage;
import org.junit.jupiter.api.Nested;

/** Every storage that core and this module have passes the contract. */
class StoragesTest {

  private static final MemorySize CAPACITY = MemorySize.ofMiB(32);

  private static Storage bytes() {
    return BytesStorage.of(256, 4096, CAPACITY);
  }

  @Nested
  class Bytes extends StorageContract {
    @Override
    protected Storage open() {
      return bytes();
    }
  }

  @Nested
  class BytesWithOneByteAlignment extends StorageContract {
    @Override
    protected Storage open() {
      return BytesStorage.of(1, 1, CAPACITY);
    }
  }

  @Nested
  class Simulated extends StorageContract {
    @Override
    protected Storage open() {
      return SimulatedStorage.withCapacity(CAPACITY);
    }
  }

  @Nested
  class Limited extends StorageContract {
    @Override
    protected Storage open() {
      return new LimitedStorage(bytes(), MemorySize.ofMiB(16));
    }
  }

  @Nested
  class Counting extends StorageContract {
    @Override
    protected Storage open() {
      return new CountingStorage(bytes());
    }
  }

  @Nested
  class Failing extends StorageContract {
    @Override
    protected Storage open() {
      return new FailingStorage(bytes());
    }
  }

  @Nested
  class Recording extends StorageContract {
    @Override
    protected Storage open() {
      return new RecordingStorage(bytes());
    }
  }
}
