package io.cistern.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that a module shows to others is documented. The javadoc tool then checks the words.
 */
class DocsTest {

  static Stream<ModuleReference> modules() {
    return Rooms.MODULES.values().stream()
        .filter(module -> !module.descriptor().exports().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void whatIsExportedIsDocumented(ModuleReference module) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> undocumented = new ArrayList<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjectsFromPaths(exportedSources(module));
      JavacTask task = (JavacTask) compiler.getTask(null, files, null, null, null, units);
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(docs, undocumented).scan(new TreePath(unit), null);
      }
    }
    assertThat(undocumented).as("declarations without a doc comment").isEmpty();
  }

  private static List<Path> exportedSources(ModuleReference module) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (ModuleDescriptor.Exports exports : module.descriptor().exports()) {
      Path folder = sources(module).resolve(exports.source().replace('.', '/'));
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  /** The sources beside the target folder that the module was built into. */
  private static Path sources(ModuleReference module) {
    Path folder = Rooms.location(module);
    while (!folder.getFileName().toString().equals("target")) {
      folder = folder.getParent();
    }
    return folder.resolveSibling("src/main/java");
  }

  private static final class Scanner extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final List<String> undocumented;

    Scanner(DocTrees docs, List<String> undocumented) {
      this.docs = docs;
      this.undocumented = undocumented;
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
      if (isShown(type.getModifiers())) {
        require("type " + type.getSimpleName());
        super.visitClass(type, null);
      }
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      if (isShown(method.getModifiers()) && !isOverride(method) && !isCompact()) {
        require("method " + method.getName());
      }
      return null;
    }

    @Override
    public Void visitVariable(VariableTree field, Void none) {
      if (isShown(field.getModifiers())) {
        require("field " + field.getName());
      }
      return null;
    }

    private boolean isShown(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      Tree parent = getCurrentPath().getParentPath().getLeaf();
      boolean inInterface = parent.getKind() == Tree.Kind.INTERFACE;
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (inInterface && !flags.contains(Modifier.PRIVATE));
    }

    private static boolean isOverride(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    /** A record's own constructor is documented with its components. */
    private boolean isCompact() {
      MethodTree method = (MethodTree) getCurrentPath().getLeaf();
      Tree parent = getCurrentPath().getParentPath().getLeaf();
      return parent.getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
    }

    private void require(String what) {
      if (docs.getDocComment(getCurrentPath()) == null) {
        CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
        undocumented.add(Path.of(unit.getSourceFile().getName()).getFileName() + ": " + what);
      }
    }
  }
}
