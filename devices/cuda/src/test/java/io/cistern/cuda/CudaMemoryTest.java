package io.cistern.cuda;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.MemorySuite;

@EnabledWithCompiler
class CudaMemoryTest extends MemorySuite {
  CudaMemoryTest() {
    super(FakeDriver.Kind.CUDA, new CudaStorageProvider());
  }
}
