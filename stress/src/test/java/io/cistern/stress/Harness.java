package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A run of another program's main class, in a JVM of its own with this one's class path.
 *
 * @param exitCode what it ended with
 * @param output what it printed, errors too
 */
public record Harness(int exitCode, String output) {

  /**
   * Runs it to its end; it is an assertion error if it does not come.
   *
   * @param folder where it runs and may write
   * @param atMost bounds a hang and measures nothing
   * @param arguments of the JVM, from the main class on those of the program
   */
  public static Harness run(Path folder, Duration atMost, List<String> arguments)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"));
    builder.command().addAll(arguments);
    Process process =
        builder
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(atMost)).as("%s ended", arguments).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return new Harness(process.exitValue(), Files.readString(output));
  }
}
