package io.cistern.cuda;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.WorkSuite;

@EnabledWithCompiler
class CudaWorkTest extends WorkSuite {
  CudaWorkTest() {
    super(FakeDriver.Kind.CUDA, new CudaStorageProvider());
  }
}
