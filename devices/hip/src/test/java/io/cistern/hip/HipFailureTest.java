package io.cistern.hip;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FailureSuite;
import io.cistern.gpu.testkit.FakeDriver;

@EnabledWithCompiler
class HipFailureTest extends FailureSuite {
  HipFailureTest() {
    super(FakeDriver.Kind.HIP, new HipStorageProvider());
  }
}
