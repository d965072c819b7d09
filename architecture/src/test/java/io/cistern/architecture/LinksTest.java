package io.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between the documents of the repository lead somewhere. */
class LinksTest {

  /** Code, which may show brackets that are no links. */
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|~~~.*?~~~|`[^`\n]*`");

  /** {@code [text](target "title")} and {@code [text]: target}. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)[^)]*\\)|(?m)^\\s*\\[[^\\]]+\\]:\\s*<?([^\\s>]+)");

  private static final Pattern ELSEWHERE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*|#.*");

  @Test
  void relativeLinksLeadToFiles() throws IOException {
    List<String> dead = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(CODE.matcher(Files.readString(document)).replaceAll(""));
      while (link.find()) {
        String target = link.group(1) != null ? link.group(1) : link.group(2);
        if (!ELSEWHERE.matcher(target).matches() && !Files.exists(resolve(document, target))) {
          dead.add(Rooms.repository().relativize(document) + ": " + target);
        }
      }
    }
    assertThat(dead).as("dead links").isEmpty();
  }

  private static Path resolve(Path document, String target) {
    String path = target.replaceFirst("[#?].*", "").replace("%20", " ");
    return path.startsWith("/")
        ? Rooms.repository().resolve(path.substring(1))
        : document.resolveSibling(path);
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    Files.walkFileTree(
        Rooms.repository(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean hidden = name.startsWith(".") && !name.equals(".github");
            return hidden || name.equals("target")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              documents.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return documents;
  }
}
