package io.cistern.hip;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.OpeningSuite;

@EnabledWithCompiler
class HipOpeningTest extends OpeningSuite {
  HipOpeningTest() {
    super(FakeDriver.Kind.HIP, new HipStorageProvider());
  }
}
