package io.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The published list of modules and the build's agree. */
class BomTest {

  private static final Pattern MODULE = Pattern.compile("<module>(.+?)</module>");
  private static final Pattern ARTIFACT = Pattern.compile("(?m)^  <artifactId>(.+?)</artifactId>");
  private static final Pattern MANAGED =
      Pattern.compile(
          "<groupId>io.cistern</groupId>\\s+<artifactId>(.+?)</artifactId>\\s+<version>\\$");

  @Test
  void theBomListsEveryPublishedModule() throws IOException {
    Path root = Rooms.repository();
    String parent = Files.readString(root.resolve("pom.xml"));
    List<String> published =
        all(MODULE, parent).stream()
            .filter(module -> !module.equals("bom"))
            .map(module -> read(root.resolve(module).resolve("pom.xml")))
            .filter(pom -> !pom.contains("<cistern.unpublished>true<"))
            .flatMap(pom -> all(ARTIFACT, pom).stream())
            .toList();
    assertThat(all(MANAGED, read(root.resolve("bom/pom.xml"))))
        .as("bom/pom.xml")
        .containsExactlyInAnyOrderElementsOf(published);
    assertThat(all(MANAGED, parent)).as("pom.xml").containsExactlyInAnyOrderElementsOf(published);
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
