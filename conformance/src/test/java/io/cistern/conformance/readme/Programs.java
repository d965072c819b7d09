package io.cistern.conformance.readme;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles and runs what documents show. */
final class Programs {

  private Programs() {}

  /** Compiles a source file into a folder; an error fails the test with what the compiler says. */
  static void compile(Path source, Path folder) throws IOException {
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

  /** What the main method of a compiled class prints. */
  static String run(Path folder, String name) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) null);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
