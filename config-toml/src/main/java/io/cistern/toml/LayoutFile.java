package io.cistern.toml;

import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What a layout file says: the pools of a manager and its setting for persistent memory.
 *
 * <p>An immutable value. Files are TOML, with the contract's own field names:
 *
 * <pre>{@code
 * persistent = "enabled"          # enabled | size-match | disabled | enforced; may be left out
 *
 * [[pools]]                       # or no entries and: pools = "sub-slices" | "exclusive-pages"
 * type = "sliced"                 # exclusive | direct | sliced
 * page_size = "64MiB"
 * max_slice_size = "8MiB"         # this and what follows may be left out
 * max_pool_size = "2GiB"
 * dealloc_period = 5000
 *
 * [[pools]]
 * type = "exclusive"
 * max_alloc_size = "1GiB"
 * dealloc_period = 5000           # may be left out
 *
 * [[pools]]
 * type = "direct"
 * reclaim_at = "512MiB"           # may be left out
 * }</pre>
 *
 * <p>Sizes are whole numbers of bytes, or text as {@link io.cistern.MemorySize#parse} reads it;
 * both from 0 to 2<sup>63</sup>-1. Periods are whole numbers of allocations. Whether the sizes fit
 * each other shows when the pools are resolved for a device, see {@link LayoutSource#resolve}.
 *
 * @param pools the pools, in routing order
 * @param persistent when the persistent pool serves
 */
public record LayoutFile(MemoryPoolsConfig pools, PersistentMemory persistent) {

  /**
   * Makes a value that a file can say.
   *
   * @throws NullPointerException if an argument is null
   * @throws IllegalArgumentException if a pool's {@code deallocPeriod} is negative: no file may say
   *     that
   */
  public LayoutFile {
    Objects.requireNonNull(pools, "pools");
    Objects.requireNonNull(persistent, "persistent");
    if (pools instanceof MemoryPoolsConfig.Explicit(var entries)) {
      entries.forEach(LayoutFile::checkPeriod);
    }
  }

  /**
   * Reads a TOML file in UTF-8.
   *
   * @param path the file
   * @return what it says
   * @throws LayoutFileException if the file can't be read or is no layout file
   */
  public static LayoutFile read(Path path) {
    return LayoutSource.read(path).layout();
  }

  /**
   * Reads a TOML text.
   *
   * @param text the whole text
   * @param fileName the name that errors give to it
   * @return what it says
   * @throws LayoutFileException if it is no layout file
   */
  public static LayoutFile parse(String text, String fileName) {
    return LayoutSource.parse(text, fileName).layout();
  }

  /**
   * Reads a JSON object with the keys of a layout file, such as {@code {"pools": [{"type":
   * "direct"}]}}.
   *
   * @param text the whole text
   * @param name the name that errors give to it
   * @return what it says
   * @throws LayoutFileException if it is no layout
   */
  public static LayoutFile parseJson(String text, String name) {
    return LayoutSource.parseJson(text, name).layout();
  }

  /** The text of a file that reads back as an equal value. */
  public String toToml() {
    return toToml("");
  }

  /**
   * The text of a file that reads back as an equal value, headed by a comment.
   *
   * @param comment the lines of the comment, without {@code #}; empty: no comment
   */
  public String toToml(String comment) {
    return LayoutWriter.write(this, comment);
  }

  /**
   * Writes {@link #toToml()} in UTF-8, in place of a file that is there.
   *
   * @param path the file
   * @throws LayoutFileException if the file can't be written
   */
  public void write(Path path) {
    write(path, "");
  }

  /**
   * Writes {@link #toToml(String)} in UTF-8, in place of a file that is there.
   *
   * @param path the file
   * @param comment the lines of the comment, without {@code #}; empty: no comment
   * @throws LayoutFileException if the file can't be written
   */
  public void write(Path path, String comment) {
    FileText.write(path, toToml(comment));
  }

  private static void checkPeriod(MemoryPoolConfig pool) {
    OptionalLong period =
        switch (pool) {
          case MemoryPoolConfig.Exclusive exclusive -> exclusive.deallocPeriod();
          case MemoryPoolConfig.Direct _ -> OptionalLong.empty();
          case MemoryPoolConfig.Sliced sliced -> sliced.deallocPeriod();
        };
    if (period.isPresent() && period.getAsLong() < 0) {
      throw new IllegalArgumentException(
          "a layout file holds periods of 0 and more, not " + period.getAsLong());
    }
  }
}
