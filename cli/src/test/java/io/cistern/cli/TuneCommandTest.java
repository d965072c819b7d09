package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuneCommandTest {

  private static final String TRACE = Path.of("..", "traces", "cpu-pt-gnn-train.csv.gz").toString();
  private static final String OTHER =
      Path.of("..", "traces", "cpu-pt-dcgan-train.csv.gz").toString();

  @TempDir private Path folder;
  private Path output;

  @BeforeEach
  void chooseOutput() {
    output = folder.resolve("out.toml");
  }

  private static Ran tune(String... arguments) {
    List<String> all =
        new ArrayList<>(List.of("tune", TRACE, "--evaluations", "500", "--budget", "1h"));
    all.addAll(List.of(arguments));
    return Ran.here(all.toArray(String[]::new));
  }

  @Test
  void theBestLayoutIsWrittenAndDoesWhatItsCommentSays() throws IOException {
    Ran ran = tune("-o", output.toString(), "--validate", OTHER);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("search  500 evaluations, seed 1\ndevice  simulated, alignment 256 B\n")
        .contains("\nsub-slices ", "\nexclusive-pages ", "\n* ", "\nthe best (*): overhead 1.")
        .contains("\ntraces that the search did not see: overhead ")
        .endsWith("\nwrote   " + output + "\n");
    assertThat(ran.out().lines().filter(line -> !line.endsWith(".csv.gz")))
        .filteredOn(line -> !line.startsWith("wrote"))
        .allMatch(line -> line.length() <= 80);
    String comment =
        Files.readString(output)
            .lines()
            .filter(line -> line.startsWith("#   " + TRACE))
            .findFirst()
            .orElseThrow();
    Ran replayed = Ran.here("compare", TRACE, "--layout", output.toString());
    assertThat(replayed.code()).isZero();
    String overhead = comment.replaceAll(".*, (1\\.[0-9]{3}), [0-9,]+ calls?$", "$1");
    assertThat(overhead).matches("1\\.[0-9]{3}");
    assertThat(replayed.out()).contains("  " + overhead + "  ");
    assertThat(output).content().contains("# On traces that the search did not see:\n#   " + OTHER);
  }

  @Test
  void theSameSeedWritesTheSameFile() throws IOException {
    tune("-o", output.toString(), "--seed", "7");
    String first = Files.readString(output);
    tune("-o", output.toString(), "--seed", "7", "--force");
    assertThat(output).hasContent(first);
    assertThat(first).contains("# seed 7, 500 evaluations.");
  }

  @Test
  void theJsonHasTheFrontAndThePools() {
    Ran ran = tune("--json", "--max-calls", "20", "--alignment", "512");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("{\n")
        .endsWith("}\n")
        .contains("\"alignment\" : 512", "\"maxCalls\" : 20", "\"end\" : \"evaluations\"")
        .contains("\"validation\" : null", "\"front\" : [", "\"pools\" : [", "\"page_size\" : ");
  }

  @Test
  void whatCantBeWrittenShowsBeforeTheWork() throws IOException {
    Path nowhere = folder.resolve("none").resolve("out.toml");
    assertThat(tune("-o", nowhere.toString()))
        .isEqualTo(
            new Ran(
                2, "", "cistern: " + nowhere + " can't be written: its folder does not exist\n"));
    Files.writeString(output, "mine");
    assertThat(tune("-o", output.toString()).err())
        .isEqualTo("cistern: " + output + " is there already; with --force it is replaced\n");
    assertThat(output).hasContent("mine");
  }

  @Test
  void aBadRowIsBadInput() throws IOException {
    Path bad = Files.writeString(folder.resolve("bad.csv"), "op,id,size\nfree,3,1\n");
    Ran ran = Ran.here("tune", bad.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).isEqualTo("cistern: " + bad + ":2: free of unknown id 3\n");
  }

  @Test
  void tooFewCallsAreTold() {
    Ran ran = tune("--max-calls", "1");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("at most 1 driver call a trace");
  }
}
