package io.cistern.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that a command is to write. */
final class OutputFile {

  private OutputFile() {}

  /**
   * What shows before the work need not wait for it.
   *
   * @param file the file
   * @param force whether one that is there is replaced
   * @throws WrongUseException if it can't be written
   */
  static void check(Path file, boolean force) {
    if (Files.isDirectory(file)) {
      throw new WrongUseException(file + " is a folder, not a file to write");
    }
    if (Files.exists(file) && !force) {
      throw new WrongUseException(file + " is there already; with --force it is replaced");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new WrongUseException(file + " can't be written: its folder does not exist");
    }
  }

  /**
   * What shows before the work need not wait for it, of a file that {@link #write} is to replace.
   *
   * @throws WrongUseException if what is there is no file, such as a device
   */
  static void checkReplaceable(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new WrongUseException(file + " is a device or pipe, not a file that can be replaced");
    }
  }

  /** Writes what goes into a file. */
  @FunctionalInterface
  interface Writing<T> {
    T into(Path file) throws IOException;
  }

  /**
   * Writes a file beside the one that is meant, and has it take its place when it is whole. Of a
   * link, what it leads to is replaced.
   */
  static <T> T write(Path file, Writing<T> writing) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file;
    // The ending may say how it is written.
    Path part = target.resolveSibling(".part-" + file.getFileName());
    try {
      T written = writing.into(part);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      return written;
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
