package io.cistern.host;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a system's memory can be asked for, by name, for people who choose settings. */
final class HostLimits {

  private HostLimits() {}

  /** The limits that are known; locking without a limit is none. */
  static Map<String, Long> of(HostSystem system) {
    Map<String, Long> limits = new LinkedHashMap<>();
    limits.put("page-bytes", PageSources.of(HostMemoryOptions.DEFAULT, system).pageByteSize());
    if (system.isLinux()) {
      addHugePages(limits, system.files());
      limits.put("numa-nodes", (long) Math.max(1, system.files().nodes().size()));
    }
    if (MappedPages.isSupported(system) && !system.files().mayLockAll()) {
      new LockLimit(system).byteSize().ifPresent(most -> limits.put("lockable-bytes", most));
    }
    return limits;
  }

  private static void addHugePages(Map<String, Long> limits, LinuxFiles files) {
    files.hugePageByteSize().ifPresent(size -> limits.put("huge-page-bytes", size));
    files.hugePages().ifPresent(most -> limits.put("huge-pages", most));
  }
}
