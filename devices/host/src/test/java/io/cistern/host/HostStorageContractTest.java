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

  @Nested
  @EnabledIf(
      value = "io.cistern.host.Here#pins",
      disabledReason = "this process may not lock 64 MiB")
  class Pinned extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS.withSetting("pinned", "true"));
    }
  }

  @Nested
  @EnabledIf(
      value = "io.cistern.host.Here#hasTransparentHugePages",
      disabledReason = "transparent huge pages are off or absent")
  class OfTransparentHugePages extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS.withSetting("huge-pages", "transparent"));
    }
  }

  @Nested
  @EnabledIf(
      value = "io.cistern.host.Here#hasExplicitHugePages",
      disabledReason = "fewer than 64 MiB of explicit huge pages are free (vm.nr_hugepages)")
  class OfExplicitHugePages extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS.withSetting("huge-pages", "explicit"));
    }
  }

  @Nested
  class TouchedEarly extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS.withSetting("pre-touch", "true"));
    }
  }

  @Nested
  @EnabledIf(
      value = "io.cistern.host.Here#prefersNodes",
      disabledReason = "the system takes no preference of NUMA nodes (mbind)")
  class OfOneNode extends StorageContract {
    @Override
    protected Storage open() {
      return HostStorage.open(OPTIONS.withSetting("numa-node", "0"));
    }
  }
}
