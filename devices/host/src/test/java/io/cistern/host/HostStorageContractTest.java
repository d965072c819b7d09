package io.cistern.host;

import io.cistern.MemorySize;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.testkit.StorageContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/** Host memory from either source passes the contract of all storages. */
class HostStorageContractTest {

  private static final StorageOptions OPTIONS =
      StorageOptions.DEFAULT.withCapacity(MemorySize.ofMiB(64));

  @Nested
  class OfThisSystem extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open();
    }
  }

  @Nested
  @EnabledIf("io.cistern.host.MappedPages#isSupported")
  class Mapped extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS, new MappedPages());
    }
  }

  @Nested
  @EnabledIf("io.cistern.host.MappedPages#isSupported")
  class MappedWithALargeAlignment extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS.withByteAlignment(1L << 20), new MappedPages());
    }
  }

  @Nested
  class FromTheJdk extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS, new ArenaPages());
    }
  }
}
