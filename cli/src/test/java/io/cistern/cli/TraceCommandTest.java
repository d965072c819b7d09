package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.trace.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class TraceCommandTest {

  private static final String LOG =
      """
      Thread,Time,Action,Pointer,Size,Stream
      1001,10:00:00.000000,allocate,0x7f0000000000,4096,0x0
      1002,10:00:00.000250,allocate,0x7f0000001000,1000,0x2
      1002,10:00:00.000300,allocate failure,(nil),99999999999,0x2
      1002,10:00:00.002500,free,0x7f0000000000,4096,0x0
      """;

  private static final String PROFILE =
      """
      {"traceEvents": [
      {"name": "[memory]", "ts": 5, "args": {"Addr": 1, "Bytes": 1024, "Device Type": 1,
        "Device Id": 0, "Total Allocated": 4096, "Total Reserved": 8192}},
      {"name": "[memory]", "ts": 6, "args": {"Addr": 1, "Bytes": -1024, "Device Type": 1,
        "Device Id": 0, "Total Allocated": 3072, "Total Reserved": 9216}},
      {"name": "[memory]", "ts": 7, "args": {"Addr": 1, "Bytes": 64, "Device Type": 0,
        "Device Id": -1}}]}
      """;

  @TempDir private Path folder;

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  @Test
  void infoTellsWhatALogHolds() throws IOException {
    String log = file("log", LOG);
    Ran ran = Ran.here("trace", "info", log);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .isEqualTo(
            """
            trace   TRACE
                    an RMM log
                    3 operations: 2 allocations, 1 free, in 2.50ms

            peak live       4.98 KiB  5,096 bytes
                                      at line or event 3; no layout reserves less
                                   2  allocations live at once at most

                                  least  median    90 %  largest  distinct
            size                  1000B   1000B    4KiB     4KiB         2
            rows until the free       2       2       2        2
            time until the free  2.50ms  2.50ms  2.50ms   2.50ms

            stream  allocations
                 0            1
                 2            1

            recording              4  entries of the recording about memory
                                   1  requests that the recorded allocator refused
                                   1  frees on another thread than the allocation
                                   2  threads
                                      the first refused: 93.1 GiB, at 4

            at the end  1 allocation live, 1000 B
            """
                .replace("TRACE", log));
    assertThat(Ran.here("trace", "info", log, "--json").out())
        .contains("\"format\" : \"rmm-csv\"", "\"crossThreadFrees\" : 1");
  }

  @Test
  void aReplayShowsTheRecordedPeakBesideItsOwn() throws IOException {
    Ran ran = Ran.here("replay", file("profile", PROFILE), "--device", "simulated");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .contains("peak reserved     20 MiB  20,971,520 bytes\n")
        .contains("recorded peak      9 KiB  9,216 bytes reserved by the recorded allocator\n")
        .contains("                   3 KiB  in it that was live throughout, without rows\n");
    Ran host =
        Ran.here(
            "replay", file("profile", PROFILE), "--device", "simulated", "--trace-device", "0:-1");
    assertThat(host.out()).contains("1 operation: 1 allocation").doesNotContain("recorded peak");
  }

  @Test
  void infoTellsOfDevices() throws IOException {
    Ran ran = Ran.here("trace", "info", file("profile", PROFILE));
    assertThat(ran.out())
        .contains("a PyTorch profiler trace, device 1:0; not read: 0:-1 (1 event)\n")
        .contains("recorded peak      9 KiB  9,216 bytes\n")
        .contains("2.250  recorded / live, with what has no row\n");
  }

  @Test
  void aDumpIsShownAsATable() throws IOException {
    String dump =
        file(
            "dump",
            "{\"Total\": {\"BlockCount\": 3, \"BlockBytes\": 4096, \"AllocationCount\": 7}}");
    assertThat(Ran.here("trace", "info", dump).out())
        .isEqualTo(
            """
            trace   TRACE
                    a VMA dump: one moment, which can't be replayed

                   blocks  reserved  allocations  in use  gaps  largest gap
            total       3      4KiB            7      0B     0           0B
            """
                .replace("TRACE", dump));
    assertThat(Ran.here("replay", dump, "--device", "simulated").err())
        .startsWith("cistern: " + dump + ":1: a VMA dump is a picture of one moment")
        .hasLineCount(1);
  }

  @Test
  void whatIsConvertedReplaysAlike() throws IOException {
    String profile = file("profile", PROFILE);
    Path csv = folder.resolve("out.csv.gz");
    Ran ran = Ran.here("trace", "convert", profile, "-o", csv.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).isEqualTo("wrote   " + csv + ", 2 rows of a PyTorch profiler trace\n");
    assertThat(Ran.here("replay", csv.toString(), "--device", "simulated").out())
        .contains("recorded peak      9 KiB");
    Ran again = Ran.here("trace", "convert", profile, "-o", csv.toString());
    assertThat(again.err()).contains(csv + " is there already; with --force it is replaced");
    assertThat(Ran.here("trace", "convert", profile, "-o", csv.toString(), "--force").code())
        .isZero();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no /dev/null")
  void linksStayAndDevicesAreNotReplaced() throws IOException {
    String log = file("log", LOG);
    Path file = Files.writeString(folder.resolve("there.csv"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link.csv"), file);
    assertThat(Ran.here("trace", "convert", log, "-o", link.toString(), "--force").code()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(file)).startsWith("op,id,size,stream,time_us\n");
    // A link in the temporary folder to a device: were it replaced, the device would stay.
    Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/null"));
    assertThat(Ran.here("trace", "convert", log, "-o", device.toString(), "--force").err())
        .isEqualTo(
            "cistern: " + device + " is a device or pipe, not a file that can be replaced\n");
    assertThat(device).isSymbolicLink();
  }

  /** The help names each format. */
  @Test
  void everyFormatCanBeForced() {
    String help = Ran.here("trace", "info", "--help").out();
    for (TraceFormat format : TraceFormat.values()) {
      assertThat(help).contains(format.text());
    }
  }

  @Test
  void aBadTraceLeavesNoFile() throws IOException {
    String log = file("log", LOG + "1,10:00:00.000001,free,0x77,5,0\n");
    Path csv = folder.resolve("out.csv");
    Ran ran = Ran.here("trace", "convert", log, "-o", csv.toString());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).isEqualTo("cistern: " + log + ":6: free of an unknown pointer, 0x77\n");
    assertThat(folder.toFile().list()).containsExactly("log");
    Ran lenient = Ran.here("trace", "convert", log, "-o", csv.toString(), "--lenient");
    assertThat(lenient.code()).isZero();
    assertThat(lenient.err()).contains("free of an unknown pointer, 0x77");
    assertThat(lenient.out()).contains("3 rows of an RMM log\n", "without 1 bad row\n");
    assertThat(Files.readString(csv))
        .isEqualTo(
            """
            op,id,size,stream,time_us
            alloc,0,4096,0,0
            alloc,1,1000,2,250
            free,0,4096,0,2500
            """);
    assertThat(Ran.here("trace", "info", log, "--lenient").out())
        .contains("problems               1  rows; left out: 1\n")
        .contains("  " + log + ":6: free of an unknown pointer, 0x77\n");
  }
}
