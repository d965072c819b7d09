package io.cistern.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of vectors and scenarios: the copied data, or what a system property names. */
public final class DataFolders {

  private DataFolders() {}

  /** The vectors; {@code -Dcistern.vectors=FOLDER} for others of the same format. */
  public static List<Path> vectors() {
    return jsonFiles(folder("cistern.vectors", "vectors"));
  }

  /** The scenarios; {@code -Dcistern.scenarios=FOLDER} for others of the same format. */
  public static List<Path> scenarios() {
    return jsonFiles(folder("cistern.scenarios", "scenarios"));
  }

  private static Path folder(String property, String copied) {
    Path folder = Path.of(System.getProperty(property, copied));
    // Tests run in their room; a relative path may be meant from the root of the project.
    return Files.isDirectory(folder) ? folder : Path.of("..").resolve(folder);
  }

  private static List<Path> jsonFiles(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no data in " + folder.toAbsolutePath(), e);
    }
  }
}
