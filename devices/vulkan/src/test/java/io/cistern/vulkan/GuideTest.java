package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.vulkan.guide.GuideExample;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's example is what is compiled here, and prints what the guide says. */
class GuideTest {

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern PRINTS = Pattern.compile("\nprints `([^`]+)`");
  private static final String BEGIN = "// The guide's example begins here.\n";

  @Test
  void theExampleIsTheOneInTheGuide() throws Exception {
    String source =
        Files.readString(Path.of("src/test/java/io/cistern/vulkan/guide/GuideExample.java"));
    String example = source.substring(source.indexOf(BEGIN) + BEGIN.length());
    assertThat(group(EXAMPLE)).isEqualTo(example);
  }

  @Test
  void theExamplePrintsWhatTheGuideSays() throws Exception {
    Lavapipe.need();
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      GuideExample.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8).strip()).isEqualTo(group(PRINTS));
  }

  private static String group(Pattern pattern) throws Exception {
    String guide = Files.readString(Path.of("..", "..", "docs", "guide", "vulkan.md"));
    Matcher matcher = pattern.matcher(guide);
    assertThat(matcher.find()).as("%s in the guide", pattern).isTrue();
    return matcher.group(1);
  }
}
