package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

  private static final int TERMINAL_WIDTH = 80;

  @TempDir private Path folder;

  private String trace(String... rows) throws IOException {
    Path file = folder.resolve("t.csv");
    Files.writeString(file, "op,id,size,stream,time_us\n" + String.join("\n", rows) + "\n");
    return file.toString();
  }

  private static Ran replay(String trace, String... options) {
    String[] arguments = new String[options.length + 4];
    arguments[0] = "replay";
    arguments[1] = trace;
    arguments[2] = "--device";
    arguments[3] = "simulated";
    System.arraycopy(options, 0, arguments, 4, options.length);
    return Ran.here(arguments);
  }

  @Test
  void aReplayTellsWhatTheLayoutCost() throws IOException {
    String trace = trace("alloc,0,1000,0,0", "alloc,1,3000000,1,0", "free,1,3000000,0,0");
    Ran ran = replay(trace);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out().replaceFirst("(?m)^time +[0-9.]+ .s ", "time NANOS "))
        .isEqualTo(
            """
            trace   TRACE
                    3 operations: 2 allocations, 1 free, 2 streams
            device  simulated, alignment 256 B, max page size 20 GiB
            layout  sub-slices

            peak in use     2.86 MiB  3,001,000 bytes
            peak reserved    100 MiB  104,857,600 bytes
            overhead          34.941  reserved / in use
            peak padding        88 B
            driver calls           2  2 allocations, 0 frees
            time NANOS  per operation, in a cold JVM
                                      (in a warm one: --repeat 30 --at-least 3s)

             100 MiB │                       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
                     │                       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
                     │                       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
                     │                       ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
                     │░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░
                     │▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
                 0 B └─────────────────────────────────────────────────────────────────────
                      █ in use  ░ reserved                                     3 operations

            stream 0
            #  kind     page   slice  pages/peak  served  largest  in use  reserved
            1  sliced  20MiB  640KiB         1/1       1    1000B   1000B     20MiB
            (and 6 pools that served nothing)

            stream 1
            #  kind     page  slice  pages/peak  served  largest  in use  reserved
            2  sliced  80MiB   5MiB         1/1       1  2.86MiB      0B     80MiB
            (and 6 pools that served nothing)

            at the end  1 allocation live, 1000 B in use, 100 MiB reserved
            """
                .replace("TRACE", trace));
  }

  @Test
  void theCurveCanBeAscii() throws IOException {
    Ran ran = replay(trace("alloc,0,1000,0,0"), "--ascii");
    assertThat(ran.out()).contains("  20 MiB |....", "# in use  . reserved");
    assertThat(ran.out()).matches("[\\n -~]*");
  }

  @Test
  void theTimeOfAWarmJvmHasNoAdvice() throws IOException {
    Ran ran = replay(trace("alloc,0,1000,0,0"), "--repeat", "4");
    assertThat(ran.out())
        .contains("  per operation, median of the later half of 4 passes\n")
        .doesNotContain("cold", "--repeat");
  }

  @Test
  void aReplayAsJsonIsTheSameTwice() throws IOException {
    String trace = trace("alloc,0,1000,0,0", "alloc,1,3000000,1,0", "free,1,3000000,0,0");
    String first = withoutTime(replay(trace, "--json", "--layout", "exclusive-pages").out());
    String second = withoutTime(replay(trace, "--layout", "exclusive-pages", "--json").out());
    assertThat(second).isEqualTo(first);
    assertThat(first).startsWith("{\n").endsWith("}\n").contains("\"device\" : \"simulated\"");
  }

  private static String withoutTime(String json) {
    return json.replaceFirst("\"nanosPerOperation\" : [0-9.E]+", "");
  }

  @Test
  void aRefusedRequestIsAFailure() throws IOException {
    String trace = trace("alloc,0,1000,0,0", "alloc,7,3000000,0,0", "free,7,3000000,0,0");
    Ran ran = replay(trace, "--capacity", "2MiB", "--max-page-size", "1MiB");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("refused                1  requests that could not be served");
    assertThat(ran.err())
        .startsWith("cistern: 1 request refused, the first at " + trace + ":3 (id 7): ")
        .hasLineCount(1);
  }

  @Test
  void aBadRowIsBadInputUnlessLenient() throws IOException {
    String trace = trace("alloc,0,1000,0,0", "alloc,0,1000,0,0");
    Ran ran = replay(trace);
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo(
            "cistern: " + trace + ":3: repeated id 0: ids increase, and 0 was there before\n");
    assertThat(ran.out()).isEmpty();
    Ran lenient = replay(trace, "--lenient");
    assertThat(lenient.code()).isZero();
    assertThat(lenient.out()).contains("skipped                1  bad rows");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replay                            | Missing required parameter: 'TRACE'",
        "replay nowhere.csv --device simulated | there is no file nowhere.csv",
        "replay . --device simulated       | . is a folder, not a trace",
        "replay x --device simulated --repeat 0 | --repeat is at least 1, not 0",
        "replay x --at-least 3             | Invalid value for option '--at-least': \"3\" is no time",
        "replay x --capacity 1.5.5G        | Invalid value for option '--capacity': \"1.5.5G\" is no",
        "replay x --nonsense y             | Unknown option \"--nonsense\" (see cistern replay",
        "replay x --layuot y               | Unknown option \"--layuot\": did you mean --layout?",
        "replay x y                        | Unexpected argument \"y\" (see cistern replay",
        "replay x --layout ladder          | unknown layout \"ladder\": it is one of sub-slices,",
        "replay x --device floppy          | unknown device \"floppy\"; there are ",
        "replay x --device simulated:3     | there is no device simulated:3; found of this kind: 1",
        "replay x --device simulated:x     | \"simulated:x\" names no device",
        "replay x --device simulated --alignment 3 | device simulated can't be opened: an alignment",
        "replay x --device simulated --alignment 0 | device simulated can't be opened: an alignment",
        "replay x --device-option pinned    | --device-option takes NAME=VALUE",
        "replay x --device-option =true     | --device-option takes NAME=VALUE",
        "replay x --device-option pinned=maybe | device host can't be opened: the setting \"pinned\" is one of false, true",
        "layout sub-slices --device simulated --device-option a=b | device simulated can't be opened: a device of kind simulated has no setting \"a\"",
        "replay x --device simulated --touch | --touch needs memory that can be written",
        "plan                              | Missing required parameter: 'TRACE'",
        "plan . --device simulated         | . is a folder, not a trace",
        "plan nowhere.csv --device simulated | there is no file nowhere.csv",
        "plan x --touch                    | Unknown option",
        "compare                           | Missing required parameter: 'TRACE'",
        "compare .                         | . is a folder, not a trace",
        "compare nowhere.csv               | there is no file nowhere.csv",
        "compare x --layout ladder         | unknown layout \"ladder\": it is one of sub-slices,",
        "compare x --layout a --device floppy | unknown device \"floppy\"; there are ",
        "tune                              | Missing required parameter: 'TRACE'",
        "tune nowhere.csv                  | there is no file nowhere.csv",
        "tune x --budget 0s                | --budget is more than no time at all, such as 30s",
        "tune x --budget 30                | Invalid value for option '--budget': \"30\" is no time",
        "tune x --evaluations 0            | --evaluations is at least 1, not 0",
        "tune x --max-calls 0              | --max-calls is at least 1, not 0",
        "tune x -o .                       | . is a folder, not a file to write",
        "tune x -o nowhere/y.toml          | nowhere/y.toml can't be written: its folder does not",
        "tune ../traces/cpu-pt-gnn-train.csv.gz --validate nowhere.csv | there is no file nowhere.csv",
        "tune x --alignment 3              | device simulated can't be opened: an alignment",
        "fits x                            | Missing required option: '--device-memory=SIZE'",
        "fits nowhere.csv --device-memory 1GiB | there is no file nowhere.csv",
        "fits x --device-memory 0          | --device-memory is more than nothing, such as 24GiB",
        "fits x --device-memory much       | Invalid value for option '--device-memory': \"much\" is",
        "fits x --device-memory 1GiB --layout ladder | unknown layout \"ladder\": it is one of",
        "fits x --device-memory 1GiB --alignment 3 | device simulated can't be opened: an alignment",
        "trace                             | Missing required command (see cistern trace --help)",
        "trace info                        | Missing required parameter: 'TRACE'",
        "trace info .                      | . is a folder, not a trace",
        "trace info nowhere                | there is no file nowhere",
        "trace info x --format rmm         | Invalid value for option '--format': \"rmm\" is no format; there are csv, pytorch-snapshot,",
        "trace convert x                   | Missing required option: '--output=FILE'",
        "trace convert x -o .              | . is a folder, not a file to write",
        "trace convert x -o nowhere/y.csv  | nowhere/y.csv can't be written: its folder does not exist",
        "layout                            | Missing required parameter: 'NAME|FILE'",
        "paint                             | Unknown command \"paint\"",
        "layuot x                          | Unknown command \"layuot\": did you mean layout?",
      })
  void wrongUseIsSaidInOneLine(String line, String message) {
    Ran ran = Ran.here(line.split(" "));
    assertThat(ran.err()).startsWith("cistern: " + message).hasLineCount(1);
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
  }

  /** An empty path would be the present folder. */
  @Test
  void anEmptyNameIsNoFile() throws IOException {
    assertThat(replay("").err()).startsWith("cistern: TRACE is an empty text");
    for (Ran ran : List.of(replay(trace(), "--layout", ""), Ran.here("layout", ""))) {
      assertThat(ran.err()).startsWith("cistern: unknown layout \"\": it is one of");
      assertThat(ran.code()).isEqualTo(2);
    }
  }

  @Test
  void noCommandIsWrongUse() {
    assertThat(Ran.here().code()).isEqualTo(2);
    assertThat(Ran.here().err())
        .isEqualTo("cistern: Missing required command (see cistern --help)\n");
  }

  @Test
  void theTraceOfAnErrorIsShownOnDemand() {
    assertThat(Ran.here("replay", "nowhere.csv", "--device", "simulated", "--stacktrace").err())
        .contains("\tat io.cistern");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "replay",
        "plan",
        "compare",
        "tune",
        "fits",
        "layout",
        "devices",
        "trace",
        "trace info",
        "trace convert"
      })
  void helpHasExamplesAndFitsATerminal(String command) {
    Ran ran = command.isEmpty() ? Ran.here("--help") : Ran.here((command + " --help").split(" "));
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("Examples:\n  cistern ");
    assertThat(ran.out().lines()).allMatch(line -> line.length() <= TERMINAL_WIDTH);
  }

  @Test
  void aLayoutIsShownAsItWorksOnTheDevice() {
    Ran ran = Ran.here("layout", "sub-slices", "--device", "simulated", "--max-page-size", "1GiB");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .isEqualTo(
            """
            layout  sub-slices
            device  simulated, alignment 256 B, max page size 1 GiB

            #  kind       max alloc    page  max slice  period
            0  exclusive         0B
            1  sliced                 16MiB       2MiB
            2  sliced                 64MiB      16MiB
            3  sliced                256MiB     128MiB
            4  exclusive       1GiB                      10000
            """);
    assertThat(Ran.here("layout", "sub-slices", "--device", "simulated", "--json").out())
        .contains("\"maxPageSize\" : 21474836480", "\"page_size\" : 20971520");
  }

  private String layoutFile(String text) throws IOException {
    return Files.writeString(folder.resolve("l.toml"), text).toString();
  }

  @Test
  void aLayoutMayStandInAFile() throws IOException {
    String file =
        layoutFile(
            """
            persistent = "size-match"
            [[pools]]
            type = "sliced"
            page_size = "1MiB"
            max_pool_size = "4MiB"
            [[pools]]
            type = "direct"
            """);
    assertThat(Ran.here("layout", file, "--device", "simulated").out())
        .isEqualTo(
            """
            layout  FILE, persistent size-match
            device  simulated, alignment 256 B, max page size 20 GiB

            #  kind    max alloc  page  max slice   cap
            0  sliced             1MiB       1MiB  4MiB
            1  direct        any
            """
                .replace("FILE", file));
    Ran ran = replay(trace("alloc,0,1000,0,0", "alloc,1,9000000,0,0"), "--layout", file);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).contains("layout  " + file, "1  direct   any");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pools = \"sub-slices\" ; persistent = \"enforced\" | : persistent = \"enforced\" can't be",
        "pools = \"ladder\"              | :1:9: ",
        "pools = [{type = \"sliced\", page_size = 0}] | :1:",
        "pools = 3 | :1:9: ",
      })
  void aBadLayoutFileIsBadInput(String text, String error) throws IOException {
    String file = layoutFile(text.replace(" ; ", "\n"));
    Ran ran = replay(trace("alloc,0,1000,0,0"), "--layout", file);
    assertThat(ran.err()).startsWith("cistern: " + file + error).hasLineCount(1);
    assertThat(ran.code()).isEqualTo(2);
  }

  @Test
  void devicesAreListed() {
    assertThat(Ran.here("devices").out())
        .contains(
            """
            simulated:0  simulated device
              driver none: addresses alone
              memory 80 GiB, max page size 20 GiB
              alignment 256 B, of blocks 64 KiB
              address
            """);
    assertThat(Ran.here("devices", "--json").out())
        .contains("\"kind\" : \"simulated\"", "\"memory\" : 85899345920");
  }

  /** Many streams, large counts, all pools: nothing is wider than a terminal. */
  @Test
  void reportsFitATerminal() throws IOException {
    String[] rows = new String[400];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = "alloc," + i + "," + (1023L << (i % 40)) + "," + i % 3 + ",0";
    }
    Path trace = Path.of(trace(rows));
    for (String layout : new String[] {"sub-slices", "exclusive-pages"}) {
      Ran ran = replay(trace.toString(), "--layout", layout);
      assertThat(ran.out().lines().filter(line -> !line.startsWith("trace ")))
          .allMatch(line -> line.length() <= TERMINAL_WIDTH);
    }
  }
}
