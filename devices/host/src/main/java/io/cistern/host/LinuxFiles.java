package io.cistern.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * What Linux tells of its memory in files below {@code /proc} and {@code /sys}; each question reads
 * one. What is absent or can't be read is empty.
 *
 * @param root where {@code proc} and {@code sys} are
 */
record LinuxFiles(Path root) {

  static final String NR_HUGE_PAGES = "proc/sys/vm/nr_hugepages";
  static final String TRANSPARENT = "sys/kernel/mm/transparent_hugepage/enabled";
  static final String TRANSPARENT_SIZE = "sys/kernel/mm/transparent_hugepage/hpage_pmd_size";
  static final String NODES = "sys/devices/system/node";

  private static final String OVERCOMMITTED_HUGE_PAGES = "proc/sys/vm/nr_overcommit_hugepages";
  static final String MEMORY = "proc/meminfo";
  private static final String PROCESS = "proc/self/status";
  private static final int KIB = 1024;

  /** CAP_IPC_LOCK: whoever has it locks without a limit. */
  private static final int MAY_LOCK_ALL = 14;

  /** What this process has locked into memory, in bytes. */
  OptionalLong lockedByteSize() {
    return kibibytes(PROCESS, "VmLck");
  }

  /** Whether this process locks as much as it likes, whatever its limit. */
  boolean mayLockAll() {
    return field(PROCESS, "CapEff").stream()
        .anyMatch(set -> (Long.parseUnsignedLong(set, 16) >>> MAY_LOCK_ALL & 1) == 1);
  }

  /** What can be had without swapping, in bytes. */
  OptionalLong availableByteSize() {
    return kibibytes(MEMORY, "MemAvailable");
  }

  /** The size of a huge page in bytes, empty on a system that has none. */
  OptionalLong hugePageByteSize() {
    return kibibytes(MEMORY, "Hugepagesize");
  }

  /** The huge pages set aside that nobody has; those a mapping has asked for are not among them. */
  OptionalLong freeHugePages() {
    OptionalLong free = number(MEMORY, "HugePages_Free");
    OptionalLong promised = number(MEMORY, "HugePages_Rsvd");
    return free.isEmpty()
        ? free
        : OptionalLong.of(Math.max(0, free.getAsLong() - promised.orElse(0)));
  }

  /** The huge pages that are set aside, or may be on demand; empty on a system that has none. */
  OptionalLong hugePages() {
    List<String> fixed = lines(NR_HUGE_PAGES);
    if (fixed.isEmpty()) {
      return OptionalLong.empty();
    }
    long more = lines(OVERCOMMITTED_HUGE_PAGES).stream().mapToLong(LinuxFiles::parse).sum();
    return OptionalLong.of(parse(fixed.getFirst()) + more);
  }

  /** When huge pages are used unasked, such as {@code always [madvise] never}; or empty. */
  String transparentHugePages() {
    return String.join(" ", lines(TRANSPARENT));
  }

  /** The size of a transparent huge page in bytes, empty on a system that has none. */
  OptionalLong transparentHugePageByteSize() {
    return lines(TRANSPARENT_SIZE).stream().mapToLong(LinuxFiles::parse).findFirst();
  }

  /** The numbers of the nodes that have memory, ascending. */
  List<Integer> nodes() {
    List<String> ranges = lines(NODES + "/has_memory");
    if (ranges.isEmpty()) {
      ranges = lines(NODES + "/online");
    }
    List<Integer> nodes = new ArrayList<>();
    for (String range : String.join(",", ranges).split(",", -1)) {
      addAll(nodes, range.strip());
    }
    return List.copyOf(nodes);
  }

  /** Adds the numbers of a range such as {@code 0-3} or {@code 5}. */
  private static void addAll(List<Integer> nodes, String range) {
    if (!range.isEmpty()) {
      String[] ends = range.split("-", 2);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int node = Integer.parseInt(ends[0]); node <= last; node++) {
        nodes.add(node);
      }
    }
  }

  private OptionalLong kibibytes(String file, String name) {
    OptionalLong number = number(file, name);
    return number.isEmpty() ? number : OptionalLong.of(number.getAsLong() * KIB);
  }

  private OptionalLong number(String file, String name) {
    return field(file, name).stream()
        .mapToLong(value -> parse(value.replace(" kB", "")))
        .findFirst();
  }

  private static long parse(String number) {
    return Long.parseLong(number.strip());
  }

  private List<String> field(String file, String name) {
    String start = name + ":";
    return lines(file).stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip())
        .toList();
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException e) {
      return List.of();
    }
  }
}
