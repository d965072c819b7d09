package io.cistern.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.opencl.program.ListDevices;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where a library or a driver is missing there are no devices, and a reason that names it. */
class NoDriverTest {

  @Test
  void aMissingLibraryIsTheReason() throws Exception {
    String said = run(Map.of(), "-Dorg.lwjgl.opencl.libname=libNowhere.so");
    assertThat(said)
        .contains(
            "DeviceList[devices=[], whyNone=no OpenCL library: ",
            "libNowhere.so",
            "there is no device opencl:0: no OpenCL library: ");
  }

  /** The loader of PoCL's system looks for drivers in a folder that can be another. */
  @Test
  void aMissingDriverIsTheReason() throws Exception {
    String said = run(Map.of("OCL_ICD_VENDORS", "/nowhere", "OPENCL_VENDOR_PATH", "/nowhere"));
    if (!said.contains("no OpenCL library")) {
      assertThat(said)
          .startsWith("DeviceList[devices=[], whyNone=no OpenCL driver is installed")
          .contains("there is no device opencl:0: no OpenCL driver is installed");
    }
  }

  private static String run(Map<String, String> environment, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xshare:auto",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-Dorg.lwjgl.system.memoryBackend=ffm"));
    command.addAll(List.of(options));
    command.addAll(List.of("--class-path", path(), ListDevices.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** All that this test runs on, as a class path. */
  private static String path() throws Exception {
    Path classes =
        Path.of(OpenClStorage.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return Stream.of(
            classes.toString(),
            classes.resolveSibling("test-classes").toString(),
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
