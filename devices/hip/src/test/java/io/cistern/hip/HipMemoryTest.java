package io.cistern.hip;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.MemorySuite;

@EnabledWithCompiler
class HipMemoryTest extends MemorySuite {
  HipMemoryTest() {
    super(FakeDriver.Kind.HIP, new HipStorageProvider());
  }
}
