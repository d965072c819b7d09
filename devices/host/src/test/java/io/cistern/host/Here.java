package io.cistern.host;

import io.cistern.storage.StorageOptions;

/** Which settings work on the machine that runs the tests: conditions of tests. */
final class Here {

  static final long MIB = 1L << 20;

  private Here() {}

  static StorageOptions options(String name, String value) {
    return StorageOptions.DEFAULT.withSetting(name, value);
  }

  static boolean isLinux() {
    return HostSystem.current().isLinux();
  }

  static boolean pins() {
    return gives("pinned", "true", 64 * MIB);
  }

  static boolean hasTransparentHugePages() {
    return gives("huge-pages", "transparent", 2 * MIB);
  }

  /** The contract has no more than this out at once. */
  static boolean hasExplicitHugePages() {
    return gives("huge-pages", "explicit", 64 * MIB);
  }

  static boolean lacksExplicitHugePages() {
    return isLinux() && HostSystem.current().files().hugePages().orElse(0) == 0;
  }

  static boolean prefersNodes() {
    return gives("numa-node", "0", 4096);
  }

  private static boolean gives(String name, String value, long byteSize) {
    try (HostStorage storage = HostStorage.open(options(name, value))) {
      storage.free(storage.allocate(byteSize));
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
