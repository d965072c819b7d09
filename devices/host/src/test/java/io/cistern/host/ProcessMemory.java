package io.cistern.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux says of this process's memory. */
final class ProcessMemory {

  private ProcessMemory() {}

  /** A field of the process's status that is a size, in bytes. */
  static long statusByteSize(String field) {
    return lines("/proc/self/status").stream()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }

  /** The mapping that has an address, as {@code /proc/self/smaps} describes it. */
  static List<String> mapping(long address) {
    List<String> all = lines("/proc/self/smaps");
    int start = 0;
    while (!isStartOfMapping(all.get(start), address)) {
      start++;
    }
    int end = start;
    while (!all.get(end).startsWith("VmFlags")) {
      end++;
    }
    return all.subList(start, end + 1);
  }

  private static boolean isStartOfMapping(String line, long address) {
    if (!line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
      return false;
    }
    String[] range = line.split("[- ]", 3);
    return Long.compareUnsigned(Long.parseUnsignedLong(range[0], 16), address) <= 0
        && Long.compareUnsigned(address, Long.parseUnsignedLong(range[1], 16)) < 0;
  }

  /** A field of a mapping that is a size, in bytes. */
  static long byteSize(List<String> mapping, String field) {
    return mapping.stream()
        .filter(line -> line.startsWith(field + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElseThrow();
  }

  static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
