package io.cistern.cli;

import java.lang.module.ModuleDescriptor;
import picocli.CommandLine.IVersionProvider;

/** Says which version this is, and of which Java. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    ModuleDescriptor module = Version.class.getModule().getDescriptor();
    String version =
        module == null ? "(not run as a module)" : module.rawVersion().orElse("(no version)");
    return new String[] {"cistern " + version, "Java " + Runtime.version()};
  }
}
