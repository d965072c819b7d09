package io.cistern.host;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * The system that memory comes from.
 *
 * @param name its name, as Java words it
 * @param processor its kind of processor, as Java words it
 * @param files what it says of itself, if it is Linux
 */
record HostSystem(String name, String processor, LinuxFiles files) {

  /** The numbers of flags and calls are those of these processors; others number differently. */
  private static final Set<String> PROCESSORS = Set.of("amd64", "x86_64", "aarch64", "riscv64");

  /** The system that this runs on. */
  static HostSystem current() {
    return new HostSystem(
        System.getProperty("os.name"), System.getProperty("os.arch"), new LinuxFiles(Path.of("/")));
  }

  boolean isMacOs() {
    return isKnown() && name.toLowerCase(Locale.ROOT).startsWith("mac");
  }

  boolean isLinux() {
    return isKnown() && name.equals("Linux");
  }

  boolean isX86() {
    return processor.equals("amd64") || processor.equals("x86_64");
  }

  private boolean isKnown() {
    return PROCESSORS.contains(processor);
  }

  @Override
  public String toString() {
    return name + " on " + processor;
  }
}
