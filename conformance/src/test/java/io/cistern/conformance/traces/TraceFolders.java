package io.cistern.conformance.traces;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Where traces are: the project's own, and those of a folder that {@code cistern.traces} names. */
final class TraceFolders {

  private static final Path OWN = Path.of("..", "traces");

  private static final List<String> FOLDERS =
      Stream.of(OWN.toString(), System.getProperty("cistern.traces", ""))
          .filter(folder -> !folder.isEmpty())
          .toList();

  private TraceFolders() {}

  /** The traces recorded by this project. */
  static List<Path> own() throws IOException {
    return in(OWN);
  }

  /** The project's own traces, and those of the named folder with other names. */
  static Collection<Path> all() throws IOException {
    SortedMap<String, Path> byName = new TreeMap<>();
    for (String folder : FOLDERS) {
      in(Path.of(folder)).forEach(file -> byName.putIfAbsent(file.getFileName().toString(), file));
    }
    return byName.values();
  }

  private static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".csv.gz")).sorted().toList();
    }
  }

  /** A trace by name, if it is here or in the named folder. */
  static Optional<Path> find(String name) {
    return FOLDERS.stream()
        .map(folder -> Path.of(folder, name + ".csv.gz"))
        .filter(Files::exists)
        .findFirst();
  }
}
