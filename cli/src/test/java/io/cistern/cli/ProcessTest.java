package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command line as the launcher does: as modules, in a JVM of its own. */
@Timeout(300)
class ProcessTest {

  @TempDir private Path folder;

  /** Writes rows: a block lives while the next {@code live} are made. */
  private static void writeRows(BufferedWriter out, long from, long to, int live)
      throws IOException {
    for (long id = from; id < to; id++) {
      String tail = "," + (id * 7919 % 100_000) + "," + id % 2 + "," + id + "\n";
      out.write("alloc," + id + tail);
      if (id >= live) {
        out.write("free," + (id - live) + "," + (id - live) * 7919 % 100_000 + ",0," + id + "\n");
      }
    }
  }

  private Path rows(int allocations, int live) throws IOException {
    Path file = folder.resolve("rows.csv");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("op,id,size,stream,time_us\n");
      writeRows(out, 0, allocations, live);
    }
    return file;
  }

  @Test
  void exitCodesReachTheShell() throws Exception {
    Path trace = rows(10, 5);
    Ran good = Ran.inProcess(List.of(), "replay", trace.toString(), "--device", "simulated");
    assertThat(good.err()).isEmpty();
    assertThat(good.code()).isZero();
    assertThat(good.out()).contains("15 operations: 10 allocations, 5 frees, 2 streams");
    Ran refused =
        Ran.inProcess(
            List.of(), "replay", trace.toString(), "--device", "simulated", "--capacity", "2KiB");
    assertThat(refused.code()).isEqualTo(1);
    Ran missing = Ran.inProcess(List.of(), "replay", "nowhere.csv", "--device", "simulated");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).isEqualTo("cistern: there is no file nowhere.csv\n");
  }

  @Test
  void aMillionRowsFitASmallHeap() throws Exception {
    Path trace = rows(550_000, 100_000);
    Ran ran =
        Ran.inProcess(
            List.of("-Xmx256m"), "replay", trace.toString(), "--device", "simulated", "--json");
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).contains("\"operations\" : 1000000,", "\"allocations\" : 100000,");
  }

  /**
   * What is kept of a row would not fit: of 16 bytes each, these take more than the heap. {@code
   * -Dcistern.rows=100000000} makes it a long one.
   */
  @Test
  @Timeout(3600)
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no mkfifo")
  void aTraceOfAnyLengthStreamsThroughAFixedHeap() throws Exception {
    long allocations = (Long.getLong("cistern.rows", 4_000_000) + 100) / 2;
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process process =
        Ran.start(List.of("-Xmx48m"), "replay", pipe.toString(), "--device", "simulated", "--json");
    Thread writer =
        new Thread(
            () -> {
              try (BufferedWriter out = Files.newBufferedWriter(pipe)) {
                out.write("op,id,size,stream,time_us\n");
                writeRows(out, 0, allocations, 100);
              } catch (IOException e) {
                // The process has ended, as its exit code tells.
                return;
              }
            });
    writer.start();
    Ran ran = Ran.await(process);
    writer.join();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains(
            "\"operations\" : " + (2 * allocations - 100) + ",",
            "\"frees\" : " + (allocations - 100) + ",");
  }

  @Test
  void aHeapThatIsTooSmallIsOneLine() throws Exception {
    Path trace = rows(400_000, 400_000);
    Ran ran = Ran.inProcess(List.of("-Xmx16m"), "trace", "info", trace.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("cistern: out of memory (Java heap space) in a Java heap of ")
        .hasLineCount(1);
  }

  @Test
  void aReaderThatGoesAwayIsNoFault() throws Exception {
    Process process = Ran.start(List.of(), "layout", "exclusive-pages", "--device", "simulated");
    process.getInputStream().close();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(err).isEmpty();
  }

  /** The trace is a pipe that never ends; the signal comes when many rows have gone through. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no mkfifo and no SIGINT")
  void interruptedItTellsWhatItDid() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process process =
        Ran.start(List.of(), "replay", pipe.toString(), "--device", "simulated", "--json");
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread writer = new Thread(() -> feed(pipe, process, interrupted));
    writer.start();
    Ran ran = Ran.await(process);
    writer.join();
    assertThat(interrupted).isTrue();
    assertThat(ran.code()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(ran.out()).contains("\"interrupted\" : true").endsWith("}\n");
    assertThat(ran.err()).isEqualTo("cistern: interrupted; the report is of what was done\n");
  }

  /** On a device with memory, one after the other: the first trace ends, the second never does. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no mkfifo and no SIGINT")
  void anInterruptedComparisonHasWhatWasFinished() throws Exception {
    Path trace = rows(1000, 5);
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process process =
        Ran.start(
            List.of(),
            "compare",
            trace.toString(),
            pipe.toString(),
            "--layout",
            "exclusive-pages",
            "--device",
            "host");
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread writer = new Thread(() -> feed(pipe, process, interrupted));
    writer.start();
    Ran ran = Ran.await(process);
    writer.join();
    assertThat(interrupted).isTrue();
    assertThat(ran.code()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(ran.out())
        .startsWith("PARTIAL: interrupted after 1 of 2 rows.\n")
        .contains("trace   " + trace, "exclusive-pages");
    assertThat(ran.err()).isEqualTo("cistern: interrupted; the report is of what was finished\n");
  }

  /** The signal comes when the process has worked for much longer than it takes to start. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGINT")
  void anInterruptedSearchWritesTheBestUntilThen() throws Exception {
    Path output = folder.resolve("out.toml");
    Process process =
        Ran.start(
            List.of(),
            "tune",
            rows(100, 20).toString(),
            "--evaluations",
            Integer.toString(Integer.MAX_VALUE),
            "--budget",
            "1h",
            "-o",
            output.toString());
    while (process.isAlive()
        && process.info().totalCpuDuration().orElseThrow().compareTo(Duration.ofSeconds(4)) < 0) {
      Thread.sleep(50);
    }
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-INT", pid).start().waitFor()).isZero();
    Ran ran = Ran.await(process);
    assertThat(ran.code()).isEqualTo(ExitCodes.INTERRUPTED);
    assertThat(ran.out()).startsWith("INTERRUPTED: what follows was found until then.\n");
    assertThat(ran.err()).isEqualTo("cistern: interrupted; the layout is the best until then\n");
    assertThat(output).content().contains("evaluations, then interrupted.", "[[pools]]");
  }

  private static void feed(Path pipe, Process process, AtomicBoolean interrupted) {
    try (BufferedWriter out = Files.newBufferedWriter(pipe)) {
      out.write("op,id,size,stream,time_us\n");
      for (long id = 0; ; id += 1000) {
        writeRows(out, id, id + 1000, 100);
        if (id == 100_000) {
          String pid = Long.toString(process.pid());
          interrupted.set(new ProcessBuilder("kill", "-INT", pid).start().waitFor() == 0);
        }
      }
    } catch (IOException e) {
      // The process has ended, as it should.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
