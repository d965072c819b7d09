package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.ffi.NativeLibrary;
import io.cistern.host.ChildJvm.Outcome;
import io.cistern.host.program.HostProgram;
import io.cistern.storage.Storage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the documented flag the JVM says nothing, and runs where native access is denied. */
class NativeAccessTest {

  private static final String DENY = "--illegal-native-access=deny";

  @TempDir Path folder;

  @Test
  void modulesNeedTheFlagForTwoModules() throws Exception {
    Outcome outcome =
        runOnModulePath(DENY, "--enable-native-access=io.cistern.ffi,io.cistern.host");
    assertThat(outcome).isEqualTo(new Outcome(0, "done\n", ""));
  }

  @Test
  void theClassPathNeedsTheFlagForUnnamedModules() throws Exception {
    Outcome outcome = runOnClassPath(DENY, "--enable-native-access=ALL-UNNAMED");
    assertThat(outcome).isEqualTo(new Outcome(0, "done\n", ""));
  }

  @Test
  void withoutTheFlagTheJvmNamesItInAWarning() throws Exception {
    Outcome outcome = runOnModulePath();
    assertThat(outcome.out()).isEqualTo("done\n");
    assertThat(outcome.err()).contains("--enable-native-access=io.cistern.ffi");
  }

  private Outcome runOnModulePath(String... flags) throws Exception {
    return run(
        flags,
        "--module-path",
        ChildJvm.path(Storage.class, NativeLibrary.class, HostStorage.class),
        "--add-modules",
        "io.cistern.host",
        "--class-path",
        programFolder());
  }

  private Outcome runOnClassPath(String... flags) throws Exception {
    return run(
        flags,
        "--class-path",
        ChildJvm.path(Storage.class, NativeLibrary.class, HostStorage.class)
            + File.pathSeparator
            + programFolder());
  }

  private Outcome run(String[] flags, String... paths) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(flags));
    arguments.addAll(List.of(paths));
    arguments.add(HostProgram.class.getName());
    return new ChildJvm(folder).run(List.of(), arguments);
  }

  /** The program alone: beside the module's own classes it could not be told from them. */
  private String programFolder() throws Exception {
    String file = HostProgram.class.getName().replace('.', '/') + ".class";
    Path copy = folder.resolve("program").resolve(file);
    if (!Files.exists(copy)) {
      Files.createDirectories(copy.getParent());
      try (var bytes = HostProgram.class.getClassLoader().getResourceAsStream(file)) {
        Files.copy(bytes, copy);
      }
    }
    return folder.resolve("program").toString();
  }
}
