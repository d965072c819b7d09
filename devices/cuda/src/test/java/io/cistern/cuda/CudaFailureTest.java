package io.cistern.cuda;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FailureSuite;
import io.cistern.gpu.testkit.FakeDriver;

@EnabledWithCompiler
class CudaFailureTest extends FailureSuite {
  CudaFailureTest() {
    super(FakeDriver.Kind.CUDA, new CudaStorageProvider());
  }
}
