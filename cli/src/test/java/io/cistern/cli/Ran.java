package io.cistern.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a command did.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it said of errors
 */
record Ran(int code, String out, String err) {

  /** Runs a command in this JVM. */
  static Ran here(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Cistern.commandLine(new PrintWriter(out), new PrintWriter(err, true)).execute(arguments);
    return new Ran(code, out.toString(), err.toString());
  }

  /** Runs a command in a JVM of its own, as modules, as the launcher does. */
  static Ran inProcess(List<String> jvmOptions, String... arguments) throws Exception {
    return await(start(jvmOptions, arguments));
  }

  static Process start(List<String> jvmOptions, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add(
        "--enable-native-access=com.github.luben.zstd_jni,io.cistern.ffi,io.cistern.gpu,io.cistern.host,io.cistern.opencl,io.cistern.vulkan,org.lwjgl");
    command.add("-Dorg.lwjgl.system.memoryBackend=ffm");
    command.addAll(jvmOptions);
    command.addAll(List.of("-p", modulePath(), "-m", "io.cistern.cli/io.cistern.cli.Main"));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).start();
  }

  static Ran await(Process process) throws Exception {
    CompletableFuture<String> out = read(process.getInputStream());
    CompletableFuture<String> err = read(process.getErrorStream());
    return new Ran(process.waitFor(), out.get(), err.get());
  }

  private static CompletableFuture<String> read(InputStream in) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** The modules of this JVM's module path and class path, its tests aside. */
  private static String modulePath() {
    String separator = System.getProperty("path.separator");
    return Stream.of("jdk.module.path", "java.class.path")
        .map(key -> System.getProperty(key, ""))
        .flatMap(paths -> Stream.of(paths.split(separator)))
        .filter(path -> !path.isEmpty() && !path.endsWith("test-classes"))
        .filter(path -> Files.exists(Path.of(path)) && isModule(Path.of(path)))
        .distinct()
        .collect(Collectors.joining(separator));
  }

  /** Only those with a descriptor: names worked out from those of jars may clash. */
  private static boolean isModule(Path path) {
    return ModuleFinder.of(path).findAll().stream()
        .anyMatch(module -> !module.descriptor().isAutomatic());
  }
}
