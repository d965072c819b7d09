package io.cistern.conformance.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.cistern.storage.DeviceList;
import io.cistern.storage.StorageProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The program of each page of the guide compiles, runs on its device, and prints what it says. */
class GuidesTest {

  private static final Path GUIDES = Path.of("..", "docs", "guide");

  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern NAME = Pattern.compile("public class (\\w+)");
  private static final Pattern PRINTS = Pattern.compile("(?s)It prints\n\n```text\n(.*?)```");

  static Stream<String> pages() throws IOException {
    try (Stream<Path> files = Files.list(GUIDES)) {
      return files
          .filter(GuidesTest::hasProgram)
          .map(file -> file.getFileName().toString().replace(".md", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  /** Other pages show a part of a program, which the tests of their room run. */
  private static boolean hasProgram(Path page) {
    try {
      return NAME.matcher(Files.readString(page)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A page is named like the kind of its device. */
  private static DeviceList devices(String kind) {
    return ServiceLoader.load(StorageProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.name().equals(kind))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no device is called " + kind))
        .devices();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theProgramPrintsWhatThePageSays(String page, @TempDir Path folder) throws Exception {
    String text = Files.readString(GUIDES.resolve(page + ".md"));
    String program = group(PROGRAM, text);
    String name = group(NAME, program);
    Path source = Files.writeString(folder.resolve(name + ".java"), program);
    Programs.compile(source, folder);
    DeviceList found = devices(page);
    assumeFalse(found.devices().isEmpty(), "no " + page + ": " + found.whyNone());
    assertThat(Programs.run(folder, name)).isEqualTo(group(PRINTS, text));
  }

  private static String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(pattern.pattern()).isTrue();
    return matcher.group(1);
  }
}
