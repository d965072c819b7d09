package io.cistern.hip;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.GuideSuite;
import java.io.IOException;
import org.junit.jupiter.api.Test;

@EnabledWithCompiler
class HipGuideTest extends GuideSuite {
  HipGuideTest() {
    super(FakeDriver.Kind.HIP, new HipStorageProvider());
  }

  @Test
  void thePageShowsTheExampleAndItGivesWhatThePageSays() throws IOException {
    assertPageShows("hip.md", "src/test/java/io/cistern/hip/GuideExample.java");
    assertThat(new GuideExample(this::copyOnTheDevice).run()).isEqualTo(999f);
  }
}
