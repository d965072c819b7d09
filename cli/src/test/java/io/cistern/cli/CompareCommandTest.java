package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

  @TempDir private Path folder;

  private String trace(String name, String... rows) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(
        file, "op,id,size,stream,time_us,reserved\n" + String.join("\n", rows) + "\n");
    return file.toString();
  }

  private String layout() throws IOException {
    return Files.writeString(
            folder.resolve("l.toml"),
            """
            [[pools]]
            type = "sliced"
            page_size = "1MiB"
            [[pools]]
            type = "direct"
            """)
        .toString();
  }

  private static String withoutTimes(String out) {
    // Widths depend on the folder's name.
    return out.replaceAll("(?m) +[0-9]+\\.[0-9]$", " NS").replaceAll(" +", " ");
  }

  @Test
  void eachTraceHasATableAndAllTogetherTheirMeans() throws IOException {
    String one = trace("one.csv", "alloc,0,1000000,0,0,2097152", "alloc,1,1000000,0,0,4194304");
    String two = trace("two.csv", "alloc,0,524288,0,0,", "free,0,524288,0,0,");
    Ran ran = Ran.here("compare", one, two, "--layout", "exclusive-pages", "--layout", layout());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(withoutTimes(ran.out()))
        .isEqualTo(
            """
            device simulated, alignment 256 B

            trace ONE
             2 operations
            lower bound 1.91 MiB 2,000,384 bytes
            recorded peak 4 MiB 2.097 of the lower bound

            layout reserved overhead driver calls ns/op
            exclusive-pages 2MiB 1.048 2 NS
            FILE 2MiB 1.048 2 NS

            trace TWO
             2 operations
            lower bound 512 KiB 524,288 bytes

            layout reserved overhead driver calls ns/op
            exclusive-pages 512KiB 1.000 1 NS
            FILE 1MiB 2.000 1 NS

            all traces: the geometric mean, and the most driver calls on any
            layout traces overhead driver calls
            exclusive-pages 2 1.024 2
            FILE 2 1.448 2
            """
                .replace("ONE", one)
                .replace("TWO", two)
                .replace("FILE", folder.resolve("l.toml").toString()));
  }

  @Test
  void asJsonItIsTheSameTwiceButForTimes() throws IOException {
    String trace = Path.of("..", "traces", "cpu-pt-mix-threads.csv.gz").toString();
    String first = Ran.here("compare", trace, "--json").out();
    String second = Ran.here("compare", trace, "--json").out();
    assertThat(withoutNanos(second)).isEqualTo(withoutNanos(first));
    assertThat(first)
        .contains("\"layout\" : \"sub-slices\"", "\"layout\" : \"exclusive-pages\"")
        .contains("\"lowerBound\" : 154719744", "\"recordedPeak\" : null")
        .contains("\"interrupted\" : false");
  }

  private static String withoutNanos(String json) {
    return json.replaceAll("\"nanosPerOperation\" : [0-9.E]+", "");
  }

  @Test
  void aRefusedRequestIsAFailure() throws IOException {
    String trace = trace("t.csv", "alloc,0,1000,0,0,", "alloc,7,3000000,0,0,");
    Ran ran = Ran.here("compare", trace, "--layout", layout(), "--capacity", "2MiB");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("refused");
    assertThat(ran.err())
        .startsWith("cistern: " + folder.resolve("l.toml") + ": 1 request refused, the first at ")
        .hasLineCount(1);
  }

  @Test
  void otherDevicesCanBeCompared() throws IOException {
    Ran ran = Ran.here("compare", trace("t.csv", "alloc,0,1000,0,0,"), "--device", "host");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).startsWith("device  host, alignment 256 B\n");
  }

  @Test
  void thePageHoldsTheRowsAndIsNotOverwritten() throws IOException {
    String one = trace("<script>.csv", "alloc,0,1000000,0,0,2097152");
    Path page = folder.resolve("r.html");
    Ran ran = Ran.here("compare", one, "--html", page.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).endsWith("wrote   " + page + "\n");
    assertThat(Files.readString(page))
        .startsWith("<!DOCTYPE html>")
        .contains("\"peakReserved\"", "\"lowerBound\" : 1000192")
        .doesNotContain("{{", "<script>.csv");
    Ran again = Ran.here("compare", one, "--html", page.toString());
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("--force");
    assertThat(Ran.here("compare", one, "--html", page.toString(), "--force").code()).isZero();
  }
}
