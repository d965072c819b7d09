package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the five commands of the guide in their order, on a snapshot of the project's own: the first
 * rows of traces/cpu-pt-gpt-train, in segments of 2 and 20 MiB as PyTorch's allocator makes them.
 */
class TuneGuideTest {

  private static final Path PAGE = Path.of("..", "docs", "guide", "tune-a-training-job.md");
  private static final Pattern COMMAND = Pattern.compile("```sh\ncistern (.*)\n```");

  @TempDir private Path folder;

  private List<String[]> commands() throws IOException {
    List<String[]> commands = new ArrayList<>();
    for (MatchResult found : COMMAND.matcher(Files.readString(PAGE)).results().toList()) {
      String[] words = found.group(1).split(" ");
      for (int i = 0; i < words.length; i++) {
        if (words[i].equals("snapshot.pickle") || words[i].equals("layout.toml")) {
          words[i] = folder.resolve(words[i]).toString();
        }
      }
      commands.add(words);
    }
    return commands;
  }

  @Test
  void theFiveCommandsDoWhatThePageSays() throws IOException {
    try (InputStream snapshot = TuneGuideTest.class.getResourceAsStream("snapshot.pickle")) {
      Files.copy(snapshot, folder.resolve("snapshot.pickle"));
    }
    List<String> outputs = new ArrayList<>();
    for (String[] command : commands()) {
      Ran ran = Ran.here(command);
      assertThat(ran.err()).as(String.join(" ", command)).isEmpty();
      assertThat(ran.code()).as(String.join(" ", command)).isZero();
      outputs.add(ran.out());
    }
    assertThat(outputs).hasSize(5);
    assertThat(outputs.get(0)).contains("peak live        564 MiB", "recorded peak    616 MiB");
    assertThat(outputs.get(1))
        .containsPattern("sub-slices +900MiB")
        .containsPattern("exclusive-pages +677MiB");
    assertThat(outputs.get(2)).endsWith("wrote   " + folder.resolve("layout.toml") + "\n");
    assertThat(outputs.get(3)).containsPattern("layout.toml +5[6-9][0-9]MiB +1\\.0");
    assertThat(outputs.get(4)).contains("fits                 yes  on ", "\nsmallest ");
  }
}
