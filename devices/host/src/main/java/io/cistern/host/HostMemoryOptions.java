package io.cistern.host;

import io.cistern.storage.StorageOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * What the operating system is asked to do with the memory of every block. Immutable; safe for many
 * threads.
 *
 * @param pinned whether blocks are locked into real memory when they are made, so that they are
 *     never swapped out; the process needs the right to lock as much
 * @param hugePages whether blocks are made of huge pages
 * @param preTouch whether all of a block is real memory when it is made, instead of from the first
 *     write to each page on
 * @param numaNode the node that memory is taken from while it has some; empty: the node of the
 *     thread that touches first
 */
public record HostMemoryOptions(
    boolean pinned, HugePages hugePages, boolean preTouch, OptionalInt numaNode) {

  /** Nothing is asked: memory comes where and when it is touched. */
  public static final HostMemoryOptions DEFAULT =
      new HostMemoryOptions(false, HugePages.NONE, false, OptionalInt.empty());

  static final String PINNED = "pinned";
  static final String HUGE_PAGES = "huge-pages";
  static final String PRE_TOUCH = "pre-touch";
  static final String NUMA_NODE = "numa-node";

  private static final String TRUE = "true";
  private static final String FALSE = "false";

  /** The settings by name, and what they may be. */
  static final Map<String, String> SETTINGS = settings();

  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(PINNED, FALSE + "|" + TRUE);
    settings.put(HUGE_PAGES, "none|transparent|explicit");
    settings.put(PRE_TOUCH, FALSE + "|" + TRUE);
    settings.put(NUMA_NODE, "N");
    return settings;
  }

  /** Which pages a block is made of. */
  public enum HugePages {
    /** The system's own pages. */
    NONE,
    /** Huge pages where the system has some at hand, its own pages elsewhere. */
    TRANSPARENT,
    /** Huge pages that were set aside for such use, and nothing else. */
    EXPLICIT;

    String setting() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Makes the options.
   *
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if the node is below 0
   */
  public HostMemoryOptions {
    Objects.requireNonNull(hugePages, "hugePages");
    if (numaNode.orElse(0) < 0) {
      throw HostErrors.badNode(String.valueOf(numaNode.getAsInt()));
    }
  }

  /** These options, pinned or not. */
  public HostMemoryOptions withPinned(boolean value) {
    return new HostMemoryOptions(value, hugePages, preTouch, numaNode);
  }

  /** These options with other pages. */
  public HostMemoryOptions withHugePages(HugePages value) {
    return new HostMemoryOptions(pinned, value, preTouch, numaNode);
  }

  /** These options, touched early or not. */
  public HostMemoryOptions withPreTouch(boolean value) {
    return new HostMemoryOptions(pinned, hugePages, value, numaNode);
  }

  /**
   * These options with a preferred node.
   *
   * @throws IllegalArgumentException if the node is below 0
   */
  public HostMemoryOptions withNumaNode(int node) {
    return new HostMemoryOptions(pinned, hugePages, preTouch, OptionalInt.of(node));
  }

  /**
   * Reads the settings of host memory: {@code pinned} and {@code pre-touch}, {@code true} or {@code
   * false}; {@code huge-pages}, {@code none}, {@code transparent} or {@code explicit}; {@code
   * numa-node}, a number from 0 on. What is not set is as in {@link #DEFAULT}.
   *
   * @throws IllegalArgumentException if there is another setting, or another value; names those
   *     that are possible
   */
  public static HostMemoryOptions of(StorageOptions options) {
    options.checkSettings(HostStorageProvider.NAME, PINNED, HUGE_PAGES, PRE_TOUCH, NUMA_NODE);
    String pages =
        options.setting(
            HUGE_PAGES,
            HugePages.NONE.setting(),
            HugePages.TRANSPARENT.setting(),
            HugePages.EXPLICIT.setting());
    return new HostMemoryOptions(
        options.setting(PINNED, FALSE, TRUE).equals(TRUE),
        HugePages.valueOf(pages.toUpperCase(Locale.ROOT)),
        options.setting(PRE_TOUCH, FALSE, TRUE).equals(TRUE),
        node(options));
  }

  private static OptionalInt node(StorageOptions options) {
    if (!options.settings().containsKey(NUMA_NODE)) {
      return OptionalInt.empty();
    }
    String value = options.settings().get(NUMA_NODE);
    try {
      return OptionalInt.of(Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw HostErrors.badNode(value);
    }
  }
}
