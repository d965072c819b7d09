package io.cistern.host.program;

import io.cistern.DeviceMemoryException;
import io.cistern.host.HostBlock;
import io.cistern.host.HostMemoryOptions;
import io.cistern.host.HostStorage;
import io.cistern.host.HostStorageProvider;
import io.cistern.storage.StorageOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A user's program whose right to lock memory is small; says what happens. */
public final class LockProgram {

  private LockProgram() {}

  /**
   * Pins a block if that is possible, then one too large, then the first one's size again.
   *
   * @param args the size of the first block in bytes, or 0 for none, and of the large one
   */
  public static void main(String[] args) throws IOException {
    long small = Long.parseLong(args[0]);
    long large = Long.parseLong(args[1]);
    var limits = new HostStorageProvider().devices().devices().getFirst().limits();
    System.out.println("lockable-bytes " + limits.get("lockable-bytes"));
    HostMemoryOptions pinned = HostMemoryOptions.DEFAULT.withPinned(true);
    try (HostStorage storage = HostStorage.open(StorageOptions.DEFAULT, pinned)) {
      if (small > 0) {
        storage.allocate(small);
      }
      try {
        storage.allocate(large);
      } catch (DeviceMemoryException e) {
        System.out.println(e.reason() + ": " + e.getMessage());
      }
      say(storage);
      if (small > 0) {
        HostBlock again = storage.allocate(small);
        say(storage);
        storage.free(again);
      }
    }
    System.out.println(locked());
  }

  private static void say(HostStorage storage) throws IOException {
    System.out.println(storage.allocated().bytes() + " bytes out; " + locked());
  }

  private static String locked() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmLck:"))
        .map(line -> line.replaceAll("\\s+", " "))
        .findFirst()
        .orElseThrow();
  }
}
