package io.cistern.cli;

import io.cistern.storage.DeviceProperties;
import io.cistern.trace.search.NamedLayout;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Any number of layouts. */
final class LayoutsOption {

  @Option(
      names = "--layout",
      paramLabel = "NAME|FILE",
      description = "sub-slices, exclusive-pages or a TOML file; any number of them.")
  private List<String> names = List.of();

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  LayoutsOption() {}

  /**
   * The layouts that were named, or else others.
   *
   * @param device on which they are to work
   * @param others the names of those that are meant if none was named
   * @throws WrongUseException if there is no such layout
   */
  List<NamedLayout> layoutsFor(DeviceProperties device, List<String> others) {
    List<NamedLayout> layouts = new ArrayList<>();
    for (String name : names.isEmpty() ? others : names) {
      ChosenLayout chosen = ChosenLayout.named(name);
      chosen.checkReplayable(device);
      layouts.add(new NamedLayout(name, chosen.pools()));
    }
    return layouts;
  }
}
