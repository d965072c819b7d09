package io.cistern.benchmarks.suite;

import com.sun.management.OperatingSystemMXBean;
import io.cistern.benchmarks.peers.Allocator;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a run was made on. */
final class Machine {

  private static final Path CPU = Path.of("/proc/cpuinfo");
  private static final Path SYSTEM = Path.of("/etc/os-release");

  private Machine() {}

  static Map<String, String> facts() throws IOException {
    Map<String, String> facts = new TreeMap<>();
    facts.put("processor", find(CPU, "model name\\s*: (.*)", System.getProperty("os.arch")));
    facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    long memory =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    facts.put("memory", (memory >> 30) + " GiB");
    facts.put("system", find(SYSTEM, "PRETTY_NAME=\"(.*)\"", System.getProperty("os.name")));
    facts.put("kernel", System.getProperty("os.version"));
    facts.put(
        "JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    return facts;
  }

  private static String find(Path file, String line, String otherwise) throws IOException {
    if (!Files.isReadable(file)) {
      return otherwise;
    }
    return Pattern.compile("(?m)^" + line + "$")
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult found) -> found.group(1))
        .findFirst()
        .orElse(otherwise);
  }

  /** Allocators that are not installed, and what the system says. */
  static Map<Allocator, String> absent() {
    Map<Allocator, String> absent = new EnumMap<>(Allocator.class);
    for (Allocator allocator : Allocator.values()) {
      allocator.whyNot().ifPresent(why -> absent.put(allocator, why));
    }
    return absent;
  }

  static List<String> versions() {
    return Arrays.stream(Allocator.values())
        .filter(allocator -> allocator.whyNot().isEmpty())
        .map(Allocator::version)
        .filter(version -> !version.isEmpty())
        .toList();
  }
}
