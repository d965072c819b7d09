package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The faults of {@code stress/planted-faults} still fit the code that they are planted into. */
class PlantedFaultsTest {

  private static final Path FAULTS = Path.of("planted-faults");

  @TestFactory
  Stream<DynamicTest> eachFaultFits() throws IOException {
    try (Stream<Path> files = Files.list(FAULTS)) {
      List<Path> patches = files.filter(file -> file.toString().endsWith(".patch")).toList();
      assertThat(patches).hasSizeGreaterThanOrEqualTo(20);
      return patches.stream()
          .sorted()
          .map(patch -> DynamicTest.dynamicTest(patch.getFileName().toString(), () -> fits(patch)));
    }
  }

  private static void fits(Path patch) throws IOException {
    List<String> lines = Files.readAllLines(patch);
    assertThat(lines.getFirst()).as("what is wrong").isNotBlank().endsWith(".");
    String file =
        lines.stream().filter(line -> line.startsWith("--- a/")).findFirst().orElseThrow();
    String code = Files.readString(Path.of("..", file.substring("--- a/".length())));
    long hunks = lines.stream().filter(line -> line.startsWith("@@ ")).count();
    assertThat(hunks).as("hunks").isOne();
    List<String> hunk = lines.stream().dropWhile(line -> !line.startsWith("@@ ")).skip(1).toList();
    String before =
        hunk.stream()
            .filter(line -> !line.startsWith("+"))
            .map(line -> line.isEmpty() ? line : line.substring(1))
            .collect(Collectors.joining("\n"));
    assertThat(code).containsOnlyOnce(before);
    assertThat(hunk).as("a change").anyMatch(line -> line.startsWith("+") || line.startsWith("-"));
  }
}
