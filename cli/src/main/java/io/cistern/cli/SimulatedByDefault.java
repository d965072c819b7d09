package io.cistern.cli;

import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** For commands whose device is the simulated one unless another is named. */
final class SimulatedByDefault implements IDefaultValueProvider {

  static final String SIMULATED = "simulated";

  SimulatedByDefault() {}

  @Override
  @SuppressWarnings("NullAway") // Null is how picocli is told that there is no other default.
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option && option.longestName().equals("--device")
        ? SIMULATED
        : null;
  }
}
