package io.cistern.conformance.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start of the README compiles, runs, and prints what the README says. */
class QuickStartTest {

  private static final Pattern SNIPPET = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PRINTS = Pattern.compile("\nprints `([^`]+)`");

  private static final String PROGRAM =
      """
      import static io.cistern.config.MemoryPoolConfig.*;
      import io.cistern.*;
      import io.cistern.config.*;
      import io.cistern.host.*;
      import io.cistern.manager.*;
      import io.cistern.storage.*;
      public class QuickStart {
        public static void main(String[] args) {
      SNIPPET
        }
      }
      """;

  @Test
  void compilesAndPrintsWhatItSays(@TempDir Path folder) throws Exception {
    String readme = Files.readString(Path.of("..", "README.md"));
    String snippet = group(SNIPPET, readme);
    assertThat(snippet.lines().count()).isLessThanOrEqualTo(15);

    Path source = folder.resolve("QuickStart.java");
    Files.writeString(source, PROGRAM.replace("SNIPPET", snippet));
    Programs.compile(source, folder);
    assertThat(Programs.run(folder, "QuickStart").strip()).isEqualTo(group(PRINTS, readme));
  }

  private static String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s in the README", pattern).isTrue();
    return matcher.group(1);
  }
}
