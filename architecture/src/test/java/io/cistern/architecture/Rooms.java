package io.cistern.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;

/**
 * What the rules look at: the main classes of all rooms, as modules, and the repository around
 * them.
 */
final class Rooms {

  /** The packages of core in reading order; each uses only what stands before it. */
  static final String[] CORE = {
    "io.cistern",
    "io.cistern.config",
    "io.cistern.storage",
    "io.cistern.layout",
    "io.cistern.page",
    "io.cistern.safety",
    "io.cistern.pool",
    "io.cistern.manager"
  };

  /** The packages of the trace room in reading order; each uses only what stands before it. */
  static final String[] TRACE = {
    "io.cistern.trace",
    "io.cistern.trace.report",
    "io.cistern.trace.picture",
    "io.cistern.trace.table",
    "io.cistern.trace.input",
    "io.cistern.trace.pickle",
    "io.cistern.trace.format",
    "io.cistern.trace.file",
    "io.cistern.trace.replay",
    "io.cistern.trace.search",
    "io.cistern.trace.script"
  };

  /** Every Cistern module on the class path by its name. */
  static final Map<String, ModuleReference> MODULES = modules();

  /** The classes of all these modules. */
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importLocations(MODULES.values().stream().map(Rooms::classes).toList());

  private Rooms() {}

  static Path location(ModuleReference module) {
    return Path.of(module.location().orElseThrow());
  }

  /** A jar, or a folder when Maven ran no further than the tests. */
  private static Location classes(ModuleReference module) {
    Path path = location(module);
    if (Files.isDirectory(path)) {
      return Location.of(path);
    }
    try (JarFile jar = new JarFile(path.toFile())) {
      return Location.of(jar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder of the repository. */
  static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  private static Map<String, ModuleReference> modules() {
    Map<String, ModuleReference> modules = new TreeMap<>();
    for (String entry :
        List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))) {
      // Only rooms are asked: a jar of others may not be readable as a module.
      Path path = Path.of(entry);
      if (path.startsWith(repository()) && Files.exists(path)) {
        for (ModuleReference module : ModuleFinder.of(path).findAll()) {
          if (!module.descriptor().isAutomatic()) {
            modules.put(module.descriptor().name(), module);
          }
        }
      }
    }
    return modules;
  }
}
