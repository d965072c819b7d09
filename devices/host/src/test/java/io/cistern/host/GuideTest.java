package io.cistern.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's example is the one that is compiled here, and prints what the guide says. */
class GuideTest {

  private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "host.md");
  private static final Path SOURCE = Path.of("src/test/java/io/cistern/host/GuideExample.java");

  @Test
  void theGuideShowsTheExample() throws Exception {
    String shown = group("(?s)```java\n(.*?)```", Files.readString(GUIDE));
    String compiled = group("(?s)// guide:begin\n(.*?) *// guide:end", Files.readString(SOURCE));
    assertThat(shown).isEqualTo(compiled.stripTrailing().stripIndent() + "\n");
  }

  @Test
  void theExamplePrintsWhatTheGuideSays() throws Exception {
    String says = group("(?s)prints\n\n```\n(.*?)```", Files.readString(GUIDE));
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      GuideExample.run();
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(says);
  }

  private static String group(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in the text", pattern).isTrue();
    return matcher.group(1);
  }
}
