package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.storage.Storage;
import io.cistern.vulkan.program.DevicesProgram;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;

/**
 * Without a loader or a driver there are no devices, for a reason; with both and the documented
 * flags the JVM says nothing, and runs where native access is denied.
 */
class DriverAbsenceTest {

  private static final List<String> FLAGS =
      List.of("--illegal-native-access=deny", "-Dorg.lwjgl.system.memoryBackend=ffm");

  @TempDir Path folder;

  @Test
  void withoutALoaderThereAreNoDevices() throws Exception {
    Outcome outcome = runOnClassPath(Map.of(), "-Dorg.lwjgl.vulkan.libname=libabsent.so.1");
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out().lines())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("none: Vulkan can't be loaded: "))
        .anyMatch(
            line ->
                line.startsWith("refused: there is no device vulkan:0: Vulkan can't be loaded: "))
        .allMatch(line -> line.contains("libabsent.so.1"));
  }

  @Test
  void withoutADriverThereAreNoDevices() throws Exception {
    Lavapipe.need();
    String nowhere = folder.resolve("absent.json").toString();
    Outcome outcome =
        runOnClassPath(Map.of("VK_DRIVER_FILES", nowhere, "VK_ICD_FILENAMES", nowhere));
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out())
        .isEqualTo(
            "none: the Vulkan loader finds no driver: vkCreateInstance gives"
                + " VK_ERROR_INCOMPATIBLE_DRIVER (-9)\n"
                + "refused: there is no device vulkan:0: the Vulkan loader finds no driver:"
                + " vkCreateInstance gives VK_ERROR_INCOMPATIBLE_DRIVER (-9)\n");
  }

  @Test
  void theClassPathNeedsTheFlagForUnnamedModules() throws Exception {
    Lavapipe.need();
    Outcome outcome = runOnClassPath(Map.of(), "--enable-native-access=ALL-UNNAMED");
    assertSilent(outcome);
  }

  @Test
  void modulesNeedTheFlagForTwoModules() throws Exception {
    Lavapipe.need();
    Outcome outcome =
        run(
            Map.of(),
            "--enable-native-access=org.lwjgl,io.cistern.vulkan",
            "--module-path",
            path(),
            "--add-modules",
            "io.cistern.vulkan,org.lwjgl.natives",
            "--class-path",
            programFolder());
    assertSilent(outcome);
  }

  private static void assertSilent(Outcome outcome) {
    String name = new VulkanStorageProvider().devices().devices().getFirst().properties().name();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.status()).isZero();
    assertThat(outcome.out()).contains("found: " + name + "\n").endsWith("opened: " + name + "\n");
  }

  private Outcome runOnClassPath(Map<String, String> environment, String... flags)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(flags));
    if (!all.contains("--enable-native-access=ALL-UNNAMED")) {
      all.add("--enable-native-access=ALL-UNNAMED");
    }
    all.addAll(List.of("--class-path", path() + File.pathSeparator + programFolder()));
    return run(environment, all.toArray(new String[0]));
  }

  private Outcome run(Map<String, String> environment, String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"));
    command.addAll(FLAGS);
    command.addAll(List.of(flags));
    command.add(DevicesProgram.class.getName());
    File out = folder.resolve("out").toFile();
    File err = folder.resolve("err").toFile();
    ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out).redirectError(err);
    builder.environment().keySet().removeIf(name -> name.contains("JAVA") && name.contains("OPT"));
    builder.environment().putAll(environment);
    int status = builder.start().waitFor();
    return new Outcome(status, text(out), text(err));
  }

  private static String text(File file) throws Exception {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8).replace("\r\n", "\n");
  }

  /**
   * The modules, and LWJGL's library for this system, which stands beside LWJGL in a repository.
   */
  private static String path() throws Exception {
    List<String> parts = new ArrayList<>();
    for (Class<?> type :
        List.of(Storage.class, VulkanStorage.class, MemoryStack.class, VkDevice.class)) {
      parts.add(location(type).toString());
    }
    try (DirectoryStream<Path> natives =
        Files.newDirectoryStream(location(MemoryStack.class).getParent(), "*-natives-*.jar")) {
      natives.forEach(jar -> parts.add(jar.toString()));
    }
    return String.join(File.pathSeparator, parts);
  }

  private static Path location(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The program alone: beside the module's own classes it could not be told from them. */
  private String programFolder() throws Exception {
    String file = DevicesProgram.class.getName().replace('.', '/') + ".class";
    Path copy = folder.resolve("program").resolve(file);
    Files.createDirectories(copy.getParent());
    try (var bytes = DevicesProgram.class.getClassLoader().getResourceAsStream(file)) {
      Files.copy(bytes, copy);
    }
    return folder.resolve("program").toString();
  }

  private record Outcome(int status, String out, String err) {}
}
