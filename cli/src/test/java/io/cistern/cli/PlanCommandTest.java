package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {

  private static final int TERMINAL_WIDTH = 80;

  @TempDir private Path folder;
  private Path output;

  @BeforeEach
  void chooseOutput() {
    output = folder.resolve("out.toml");
  }

  private String trace(String... rows) throws IOException {
    Path file = folder.resolve("t.csv");
    Files.writeString(file, "op,id,size,stream,time_us\n" + String.join("\n", rows) + "\n");
    return file.toString();
  }

  private static Ran run(String command, String trace, String... options) {
    List<String> arguments = new ArrayList<>(List.of(command, trace, "--device", "simulated"));
    arguments.addAll(List.of(options));
    return Ran.here(arguments.toArray(String[]::new));
  }

  private static Ran plan(String trace, String... options) {
    return run("plan", trace, options);
  }

  private String[] twoStreams() {
    return new String[] {
      "alloc,0,1000,0,0",
      "alloc,1,3000000,1,0",
      "free,1,3000000,0,0",
      "alloc,2,15000000,0,0" // nearly a page of pool 1, which a cap keeps out
    };
  }

  @Test
  void aPlanTellsThatItFitsAndWritesTheLayout() throws IOException {
    String trace = trace(twoStreams());
    Ran ran = plan(trace, "--max-page-size", "1GiB", "-o", output.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .isEqualTo(
            """
            trace   TRACE
                    4 operations: 3 allocations, 1 free, 2 streams
            device  simulated, alignment 256 B, max page size 1 GiB
            layout  sub-slices

            fits                 yes  all places as measured, no spill, none refused
            peak in use     14.3 MiB  15,001,000 bytes
            peak reserved    144 MiB  150,994,944 bytes
            overhead          10.066  reserved / in use
            peak pages       144 MiB  150,994,944 bytes
            capped at        672 MiB  704,643,072 bytes

            stream 0
            #  kind     page  slice  pages    cap  served  largest
            1  sliced  16MiB   2MiB      1  16MiB       1    1000B
            2  sliced  64MiB  16MiB      1  64MiB       1  14.3MiB
            (and 3 pools that served nothing)

            stream 1
            #  kind     page  slice  pages    cap  served  largest
            2  sliced  64MiB  16MiB      1  64MiB       1  2.86MiB
            (and 4 pools that served nothing)

            all streams: each cap is the largest of the streams', and holds for each
            #  kind         page   slice     cap
            0  exclusive      0B
            1  sliced      16MiB    2MiB   16MiB
            2  sliced      64MiB   16MiB   64MiB
            3  sliced     256MiB  128MiB  256MiB
            4  exclusive    1GiB

            wrote   FILE
            """
                .replace("TRACE", trace)
                .replace("FILE", output.toString()));
    assertThat(output).content().startsWith("# Planned by Cistern for " + trace + "\n");

    Ran replayed = run("replay", trace, "--layout", output.toString());
    assertThat(replayed.code()).isZero();
    assertThat(replayed.err()).isEmpty();
    assertThat(replayed.out()).contains("peak reserved    144 MiB").doesNotContain("spills");
  }

  @Test
  void aPlanAsJsonIsTheSameTwice() throws IOException {
    String trace = trace(twoStreams());
    Ran first = plan(trace, "--json", "-o", output.toString());
    Ran second = plan(trace, "--json", "-o", output.toString(), "--force");
    assertThat(second).isEqualTo(first);
    assertThat(first.code()).isZero();
    assertThat(first.out()).startsWith("{\n").endsWith("}\n").contains("\"fits\" : true");
    assertThat(output).exists();
  }

  @Test
  void withoutAnOutputItIsOnlyTold() throws IOException {
    Ran ran = plan(trace(twoStreams()), "--layout", "exclusive-pages");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("capped at           none  no pool is sliced")
        .doesNotContain("wrote");
    assertThat(folder).isDirectoryNotContaining("glob:**.toml");
  }

  @Test
  void theLayoutFilesSettingsStay() throws IOException {
    Path layout =
        Files.writeString(
            folder.resolve("l.toml"),
            """
            persistent = "size-match"
            [[pools]]
            type = "sliced"
            page_size = "64KiB"
            max_slice_size = "1KiB"
            max_pool_size = "10MiB"
            dealloc_period = 7
            [[pools]]
            type = "direct"
            reclaim_at = "1MiB"
            """);
    String trace = trace("alloc,0,1000,0,0", "alloc,1,1000000,0,0", "alloc,2,9,0,0");
    Ran ran = plan(trace, "--layout", layout.toString(), "-o", output.toString());
    assertThat(ran.code()).isZero();
    assertThat(Files.readString(output))
        .endsWith(
            """

            persistent = "size-match"

            [[pools]]
            type = "sliced"
            page_size = "64KiB"
            max_slice_size = "1KiB"
            max_pool_size = "64KiB"
            dealloc_period = 7

            [[pools]]
            type = "direct"
            reclaim_at = "1MiB"
            """);
  }

  @Test
  void whatDoesNotFitIsAFailureAndWritesNothing() throws IOException {
    String trace = trace("alloc,0,1000,0,0", "alloc,7,3000000,0,0");
    Ran ran = plan(trace, "--capacity", "2MiB", "--max-page-size", "1MiB", "-o", output.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("fits                  no\n", "refused                1  ");
    assertThat(ran.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "cistern: 1 request refused, the first at " + trace + ":3 (id 7): "),
            line ->
                assertThat(line)
                    .isEqualTo("cistern: " + output + " is not written: the trace does not fit"));
    assertThat(output).doesNotExist();
  }

  @Test
  void aFileIsReplacedOnlyByForce() throws IOException {
    String trace = trace("alloc,0,1000,0,0");
    Files.writeString(output, "mine");
    Ran ran = plan(trace, "-o", output.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .isEqualTo("cistern: " + output + " is there already; with --force it is replaced\n");
    assertThat(output).hasContent("mine");
    assertThat(plan(trace, "-o", output.toString(), "--force").code()).isZero();
    assertThat(output).content().contains("[[pools]]");
  }

  @Test
  void whereNothingCanBeWrittenShowsBeforeTheWork() throws IOException {
    String trace = trace("alloc,0,-1,0,0");
    Path nowhere = folder.resolve("none").resolve("out.toml");
    assertThat(plan(trace, "-o", nowhere.toString()))
        .isEqualTo(
            new Ran(
                2, "", "cistern: " + nowhere + " can't be written: its folder does not exist\n"));
    assertThat(plan(trace, "-o", folder.toString(), "--force"))
        .isEqualTo(new Ran(2, "", "cistern: " + folder + " is a folder, not a file to write\n"));
  }

  @Test
  void badRowsAreBadInputUnlessLenient() throws IOException {
    String trace = trace("alloc,0,1000,0,0", "alloc,0,1000,0,0");
    assertThat(plan(trace).code()).isEqualTo(2);
    Ran lenient = plan(trace, "--lenient");
    assertThat(lenient.code()).isZero();
    assertThat(lenient.out()).contains("skipped                1  bad rows");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no /dev/null")
  void whatCanBeReadOnlyOnceCantBePlanned() {
    assertThat(plan("/dev/null").err())
        .isEqualTo("cistern: /dev/null can't be read twice, as a plan needs: use a file\n");
  }

  @Test
  void reportsFitATerminal() throws IOException {
    String[] rows = new String[400];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = "alloc," + i + "," + (1023L << (i % 32)) + "," + i % 3 + ",0";
    }
    String trace = trace(rows);
    for (String layout : new String[] {"sub-slices", "exclusive-pages"}) {
      Ran ran = plan(trace, "--layout", layout, "--capacity", "64TiB");
      assertThat(ran.code()).isZero();
      assertThat(ran.out().lines().filter(line -> !line.startsWith("trace ")))
          .allMatch(line -> line.length() <= TERMINAL_WIDTH);
    }
  }
}
