package io.cistern.opencl;

import io.cistern.storage.Storage;
import io.cistern.testkit.StorageContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

/** Every kind of memory of an OpenCL device passes the contract of all storages. */
@EnabledIf(
    value = "io.cistern.opencl.OpenClDriver#isThere",
    disabledReason = "no OpenCL device: install a driver such as PoCL")
class OpenClStorageContractTest {

  @Nested
  class Buffers extends StorageContract {
    @Override
    protected Storage open() {
      return OpenClDriver.open("buffer");
    }
  }

  @Nested
  class BuffersWithALargeAlignment extends StorageContract {
    @Override
    protected Storage open() {
      return OpenClStorage.open(OpenClDriver.SMALL.withByteAlignment(1L << 16));
    }
  }

  @Nested
  class CoarseSharedMemory extends StorageContract {
    @Override
    protected Storage open() {
      return OpenClDriver.open("svm-coarse");
    }
  }

  @Nested
  class FineSharedMemory extends StorageContract {
    @Override
    protected Storage open() {
      return OpenClDriver.open("svm-fine");
    }
  }

  @Nested
  class FineSharedMemoryWithALargeAlignment extends StorageContract {
    @Override
    protected Storage open() {
      return OpenClStorage.open(
          OpenClDriver.SMALL.withSetting("memory", "svm-fine").withByteAlignment(1L << 16));
    }
  }
}
