package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadingBarTest {

  @Test
  void countsWhateverIsReadHoweverItIsRead(@TempDir Path folder) throws IOException {
    Path first = Files.write(folder.resolve("first"), new byte[1000]);
    Path second = Files.write(folder.resolve("second"), new byte[] {7});
    try (ReadingBar bar = ReadingBar.of(List.of(first, second))) {
      try (InputStream in = bar.open(first)) {
        assertThat(in.read()).isZero();
        assertThat(in.skip(499)).isEqualTo(499);
        assertThat(in.readAllBytes()).hasSize(500);
        assertThat(in.read()).isEqualTo(-1);
      }
      assertThat(bar.byteCount()).isEqualTo(1000);
      try (InputStream in = bar.open(second)) {
        assertThat(in.readAllBytes()).containsExactly(7);
      }
      assertThat(bar.byteCount()).isEqualTo(1001);
    }
  }
}
