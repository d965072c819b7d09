package io.cistern.cuda;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.GpuSuite;
import org.junit.jupiter.api.Nested;

/** Each kind of memory of CUDA passes the contract of all storages, on the fake driver. */
@EnabledWithCompiler
class CudaContractTest {

  abstract static class OnFake extends GpuSuite.Contract {
    OnFake(String memory) {
      super(FakeDriver.Kind.CUDA, new CudaStorageProvider(), memory);
    }
  }

  @Nested
  class Device extends OnFake {
    Device() {
      super("device");
    }
  }

  @Nested
  class Async extends OnFake {
    Async() {
      super("async");
    }
  }

  @Nested
  class Pinned extends OnFake {
    Pinned() {
      super("pinned");
    }
  }

  @Nested
  class Managed extends OnFake {
    Managed() {
      super("managed");
    }
  }
}
