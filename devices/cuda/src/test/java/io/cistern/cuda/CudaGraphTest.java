package io.cistern.cuda;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.GraphSuite;

@EnabledWithCompiler
class CudaGraphTest extends GraphSuite {
  CudaGraphTest() {
    super(FakeDriver.Kind.CUDA, new CudaStorageProvider());
  }
}
