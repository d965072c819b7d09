package io.cistern.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.gpu.testkit.GuideSuite;
import java.io.IOException;
import org.junit.jupiter.api.Test;

@EnabledWithCompiler
class CudaGuideTest extends GuideSuite {
  CudaGuideTest() {
    super(FakeDriver.Kind.CUDA, new CudaStorageProvider());
  }

  @Test
  void thePageShowsTheExampleAndItGivesWhatThePageSays() throws IOException {
    assertPageShows("cuda.md", "src/test/java/io/cistern/cuda/GuideExample.java");
    assertThat(new GuideExample(this::copyOnTheDevice).run()).isEqualTo(999f);
  }
}
