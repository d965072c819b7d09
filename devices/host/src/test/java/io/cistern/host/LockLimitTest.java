package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.ffi.NativeLibrary;
import io.cistern.host.ChildJvm.Outcome;
import io.cistern.host.program.LockProgram;
import io.cistern.storage.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A process that may lock little says how little, and goes on; its limit is set from outside. */
@EnabledIf(
    value = "canLimit",
    disabledReason = "prlimit, or for a process that may lock all setpriv, is not on the path")
class LockLimitTest {

  @TempDir Path folder;

  static boolean canLimit() {
    return Here.isLinux() && isOnPath("prlimit") && (!mayLockAll() || isOnPath("setpriv"));
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static boolean mayLockAll() {
    return HostSystem.current().files().mayLockAll();
  }

  @Test
  void moreThanTheLimitIsRefusedAndLessStillServed() throws Exception {
    Outcome outcome = run(1 << 20, 512 << 10, 2 << 20);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out().lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("lockable-bytes 1048576"),
            line ->
                assertThat(line)
                    .startsWith("OUT_OF_MEMORY: device \"host memory\" is out of memory:")
                    .contains("asked for 2097152 bytes")
                    .endsWith(
                        "524288 are out; mlock of 2097152 bytes gives ENOMEM (12); the process may"
                            + " lock 1048576 bytes (RLIMIT_MEMLOCK), and 524288 bytes are locked"),
            line -> assertThat(line).isEqualTo("524288 bytes out; VmLck: 512 kB"),
            line -> assertThat(line).isEqualTo("1048576 bytes out; VmLck: 1024 kB"),
            line -> assertThat(line).isEqualTo("VmLck: 0 kB"));
  }

  @Test
  void aProcessThatMayLockNothingSaysSo() throws Exception {
    Outcome outcome = run(0, 0, 4096);
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .startsWith("lockable-bytes 0\nOUT_OF_MEMORY: ")
        .contains(
            "mlock of 4096 bytes gives EPERM (1); the process may lock 0 bytes (RLIMIT_MEMLOCK),"
                + " and 0 bytes are locked\n0 bytes out; VmLck: 0 kB\nVmLck: 0 kB\n");
  }

  private Outcome run(long limit, long small, long large) throws Exception {
    List<String> starter = new ArrayList<>(List.of("prlimit", "--memlock=" + limit + ":" + limit));
    if (mayLockAll()) {
      starter.addAll(List.of("setpriv", "--bounding-set", "-ipc_lock"));
    }
    return new ChildJvm(folder)
        .run(
            starter,
            List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--class-path",
                ChildJvm.path(
                    Storage.class, NativeLibrary.class, HostStorage.class, LockProgram.class),
                LockProgram.class.getName(),
                String.valueOf(small),
                String.valueOf(large)));
  }
}
