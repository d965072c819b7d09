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

  /** Writes what goes into a file. */
  @FunctionalInterface
  interface Writing<T> {
    T into(Path file) throws IOException;
  }

  /** Writes a file beside the one that is meant, and has it take its place when it is whole. */
  static <T> T write(Path file, Writing<T> writing) throws IOException {
    // The ending may say how it is written.
    Path part = file.resolveSibling(".part-" + file.getFileName());
    try {
      T written = writing.into(part);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      return written;
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
