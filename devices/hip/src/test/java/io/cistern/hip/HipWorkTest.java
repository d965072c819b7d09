package io.cistern.hip;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.WorkSuite;

@EnabledWithCompiler
class HipWorkTest extends WorkSuite {
  HipWorkTest() {
    super(FakeDriver.Kind.HIP, new HipStorageProvider());
  }
}
