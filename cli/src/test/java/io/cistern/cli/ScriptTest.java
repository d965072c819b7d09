package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptTest {

  @TempDir private Path folder;

  private String script(String text) throws IOException {
    Path file = folder.resolve("p.script");
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void eachStepIsToldAndWhatItCameTo() throws IOException {
    String file = script("layout direct\nallocate a 1000\nretain b a\nclose a\n");
    Ran ran = Ran.here("replay", "--script", file);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .isEqualTo(
            """
            2: allocate a 1000 -> pool 0, offset 0
            3: retain b a
            4: close a

            steps     3, every check held
            requests  1 served, 0 refused
            in use    1000B in 1 allocations, at most 1000B
            reserved  1KiB, at most 1KiB
            """);
    assertThat(ran.code()).isZero();
  }

  @Test
  void aFailedCheckIsOneLineAfterTheStepsBefore() throws IOException {
    String file = script("allocate a 1000\nexpect in_use=7\n");
    Ran ran = Ran.here("replay", "--script", file);
    assertThat(ran.out()).isEqualTo("1: allocate a 1000 -> pool 1, offset 0\n");
    assertThat(ran.err()).isEqualTo("cistern: " + file + ":2: in_use is 1000, expected is 7\n");
    assertThat(ran.code()).isEqualTo(1);
  }

  @Test
  void aWrongLineAndAWrongOptionAreWrongUse() throws IOException {
    Ran line = Ran.here("replay", "--script", script("alocate a 1\n"));
    assertThat(line.err()).contains("p.script:1: there is no \"alocate\"");
    assertThat(line.code()).isEqualTo(2);
    Ran option = Ran.here("replay", "--script", script("trim\n"), "--device", "simulated");
    assertThat(option.err())
        .contains("a script says its own device and layout: --script takes no --device");
    assertThat(option.code()).isEqualTo(2);
    Ran missing = Ran.here("replay", "--script", folder.resolve("none").toString());
    assertThat(missing.err()).contains("there is no file");
    assertThat(missing.code()).isEqualTo(2);
  }
}
