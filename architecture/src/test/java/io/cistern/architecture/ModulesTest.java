package io.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each module shows and needs, as text.
 *
 * <p>The expected text of a module is {@code src/test/resources/modules/<module>.txt}. A module
 * that changes on purpose takes the text that the failed test prints.
 */
class ModulesTest {

  private static final Path EXPECTED =
      Rooms.repository().resolve("architecture/src/test/resources/modules");

  static Collection<ModuleReference> modules() {
    return Rooms.MODULES.values();
  }

  @Test
  void everyExpectedModuleIsThere() throws IOException {
    try (Stream<Path> files = Files.list(EXPECTED)) {
      assertThat(files.map(file -> file.getFileName().toString().replaceAll("\\.txt$", "")))
          .containsExactlyInAnyOrderElementsOf(Rooms.MODULES.keySet());
    }
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleIsAsExpected(ModuleReference module) throws IOException {
    Path expected = EXPECTED.resolve(module.descriptor().name() + ".txt");
    assertThat(text(module.descriptor()))
        .as("%s", expected)
        .isEqualTo(Files.exists(expected) ? Files.readString(expected) : "");
  }

  /** A program on the class path finds devices by {@code META-INF/services} alone. */
  @ParameterizedTest
  @MethodSource("modules")
  void servicesAreTheSameOnTheClassPath(ModuleReference module) throws IOException {
    Set<String> asModule = new TreeSet<>();
    for (ModuleDescriptor.Provides provides : module.descriptor().provides()) {
      provides.providers().forEach(name -> asModule.add(provides.service() + " " + name));
    }
    assertThat(onClassPath(module)).as("META-INF/services").isEqualTo(asModule);
  }

  private static Set<String> onClassPath(ModuleReference module) throws IOException {
    Set<String> services = new TreeSet<>();
    try (ModuleReader reader = module.open()) {
      for (String file :
          reader.list().filter(name -> name.matches("META-INF/services/.+")).toList()) {
        String text =
            new String(reader.open(file).orElseThrow().readAllBytes(), StandardCharsets.UTF_8);
        text.lines()
            .filter(line -> !line.isBlank())
            .forEach(line -> services.add(Path.of(file).getFileName() + " " + line.strip()));
      }
    }
    return services;
  }

  private static String text(ModuleDescriptor module) {
    List<String> lines = new ArrayList<>();
    module.requires().stream()
        .filter(requires -> !requires.name().equals("java.base"))
        .forEach(
            requires -> lines.add("requires " + words(requires.modifiers()) + requires.name()));
    module
        .exports()
        .forEach(exports -> lines.add("exports " + exports.source() + to(exports.targets())));
    module.opens().forEach(opens -> lines.add("opens " + opens.source() + to(opens.targets())));
    module.uses().forEach(service -> lines.add("uses " + service));
    module
        .provides()
        .forEach(
            provides ->
                lines.add(
                    "provides "
                        + provides.service()
                        + " with "
                        + String.join(" ", provides.providers())));
    String head = (module.isOpen() ? "open module " : "module ") + module.name() + "\n";
    return lines.stream().sorted().reduce(head, (all, line) -> all + line + "\n");
  }

  private static String to(Set<String> targets) {
    return targets.isEmpty() ? "" : " to " + String.join(" ", new TreeSet<>(targets));
  }

  private static String words(Set<ModuleDescriptor.Requires.Modifier> modifiers) {
    StringBuilder words = new StringBuilder();
    modifiers.stream()
        .filter(modifier -> modifier != ModuleDescriptor.Requires.Modifier.MANDATED)
        .sorted()
        .forEach(
            modifier -> words.append(modifier.toString().toLowerCase(Locale.ROOT)).append(' '));
    return words.toString();
  }
}
