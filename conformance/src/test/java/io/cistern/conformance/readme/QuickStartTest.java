package io.cistern.conformance.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
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
    compile(source, folder);
    assertThat(run(folder)).isEqualTo(group(PRINTS, readme));
  }

  private static String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s in the README", pattern).isTrue();
    return matcher.group(1);
  }

  private static void compile(Path source, Path folder) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    // Surefire may start with a jar that only names the class path, and tells the path here.
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    var options = List.of("-proc:none", "-cp", path, "-d", folder.toString());
    StringWriter said = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean good =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjects(source))
              .call();
      assertThat(good).as(said.toString()).isTrue();
    }
  }

  private static String run(Path folder) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass("QuickStart").getMethod("main", String[].class).invoke(null, (Object) null);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).strip();
  }
}
