package io.cistern.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.cuda.program.CudaProgram;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.testkit.EnabledWithCompiler;
import io.cistern.gpu.testkit.FakeDriver;
import io.cistern.storage.Storage;
import java.io.File;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the documented flag the JVM says nothing, and runs where native access is denied. */
@EnabledWithCompiler
class CudaNativeAccessTest {

  @TempDir Path folder;

  @Test
  void modulesNeedTheFlagForTwoModules() throws Exception {
    assertThat(
            run(
                "--enable-native-access=io.cistern.ffi,io.cistern.gpu",
                "--module-path",
                modules(),
                "--add-modules",
                "io.cistern.cuda",
                "--class-path",
                programFolder()))
        .isEqualTo("done\n0");
  }

  @Test
  void theClassPathNeedsTheFlagForUnnamedModules() throws Exception {
    assertThat(
            run(
                "--enable-native-access=ALL-UNNAMED",
                "--class-path",
                modules() + File.pathSeparator + programFolder()))
        .isEqualTo("done\n0");
  }

  /** What the program says on both streams, and its exit status. */
  private String run(String... options) throws Exception {
    Path library = FakeDriver.of(FakeDriver.Kind.CUDA).library();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:+UseSerialGC", "--illegal-native-access=deny"));
    command.add("-Dcistern.cuda.library=" + library);
    command.addAll(List.of(options));
    command.add(CudaProgram.class.getName());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.contains("JAVA") && name.contains("OPT"));
    Process program = builder.start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return said.replace("\r\n", "\n") + program.waitFor();
  }

  private static String modules() throws ClassNotFoundException {
    // The module that loads libraries shows itself to no test.
    Class<?> ffi = Class.forName("io.cistern.ffi.NativeLibrary");
    return Stream.of(Storage.class, ffi, GpuStorage.class, CudaStorage.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
        .map(location -> Path.of(location.getPath()).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The program alone: beside the module's own classes it could not be told from them. */
  private String programFolder() throws Exception {
    String file = CudaProgram.class.getName().replace('.', '/') + ".class";
    Path copy = folder.resolve("program").resolve(file);
    Files.createDirectories(copy.getParent());
    try (InputStream bytes = CudaProgram.class.getClassLoader().getResourceAsStream(file)) {
      Files.copy(bytes, copy);
    }
    return folder.resolve("program").toString();
  }
}
