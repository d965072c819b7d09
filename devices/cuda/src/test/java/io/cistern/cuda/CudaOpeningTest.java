package io.cistern.cuda;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.OpeningSuite;

@EnabledWithCompiler
class CudaOpeningTest extends OpeningSuite {
  CudaOpeningTest() {
    super(FakeDriver.Kind.CUDA, new CudaStorageProvider());
  }
}
