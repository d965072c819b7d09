package io.cistern.jfr;

import io.cistern.config.MemoryPoolsConfig;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.Installed")
@Label("Layout Installed")
@Description("Another layout was installed")
final class InstalledEvent extends ManagerEvent {

  @Label("Pools")
  @Description("What was asked for: a preset, or pools in routing order")
  final String pools;

  InstalledEvent(String manager, MemoryPoolsConfig pools) {
    super(manager);
    this.pools = pools.toString();
  }
}
