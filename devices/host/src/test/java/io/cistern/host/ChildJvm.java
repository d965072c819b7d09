package io.cistern.host;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs programs in JVMs of their own.
 *
 * @param folder for what they print
 */
record ChildJvm(Path folder) {

  /** What became of a program. */
  record Outcome(int status, String out, String err) {}

  /**
   * Runs a program to its end.
   *
   * @param starter a command that starts the JVM, or nothing
   * @param arguments what the JVM is started with
   */
  Outcome run(List<String> starter, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(starter);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"));
    command.addAll(arguments);
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out).redirectError(err);
    builder.environment().keySet().removeIf(name -> name.contains("JAVA") && name.contains("OPT"));
    int status = builder.start().waitFor();
    return new Outcome(status, text(out), text(err));
  }

  private static String text(File file) throws Exception {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8).replace("\r\n", "\n");
  }

  /** A class path or module path of the places that classes come from. */
  static String path(Class<?>... types) {
    return Stream.of(types)
        .map(type -> location(type).toString())
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path location(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
