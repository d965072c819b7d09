package io.cistern.hip;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.GraphSuite;

@EnabledWithCompiler
class HipGraphTest extends GraphSuite {
  HipGraphTest() {
    super(FakeDriver.Kind.HIP, new HipStorageProvider());
  }
}
