package io.cistern.cli;

import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.trace.report.ReportJson;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows a layout. */
@Command(
    name = "layout",
    description = "Show the pools of a layout as they work on a device.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  cistern layout sub-slices",
      "  cistern layout exclusive-pages --device simulated --max-page-size 4GiB",
      "  cistern layout my-layout.toml --json",
      "",
      "A request goes to the first pool that accepts its size. A sliced pool without a",
      "cap also accepts sizes that leave less than a fifth of a page unused."
    })
final class LayoutCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME|FILE", description = "sub-slices, exclusive-pages or a TOML file.")
  private String layout;

  @Mixin private DeviceOptions deviceOptions;

  @Option(names = "--json", description = "Show as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  LayoutCommand() {}

  @Override
  public Integer call() {
    ChosenLayout chosen = ChosenLayout.named(layout);
    ChosenDevice device = deviceOptions.choose();
    PoolLayout resolved = chosen.resolve(device.properties());
    spec.commandLine()
        .getOut()
        .print(json ? toJson(device, chosen, resolved) : toText(device, chosen, resolved));
    spec.commandLine().getOut().flush();
    return ExitCodes.DONE;
  }

  private static String toJson(ChosenDevice device, ChosenLayout chosen, PoolLayout resolved) {
    return ReportJson.document(
        json -> {
          json.writeStartObject();
          json.writeStringField("layout", chosen.name());
          json.writeStringField("persistent", chosen.persistent().text());
          json.writeStringField("device", device.name());
          json.writeNumberField("alignment", resolved.device().byteAlignment());
          json.writeNumberField("maxPageSize", resolved.device().maxPageSize().bytes());
          ReportJson.writeLayout(json, "pools", resolved);
          json.writeEndObject();
        });
  }

  private static String toText(ChosenDevice device, ChosenLayout chosen, PoolLayout resolved) {
    DeviceProperties properties = resolved.device();
    return "layout  "
        + chosen.name()
        + (chosen.source().isPresent() ? ", persistent " + chosen.persistent() : "")
        + "\ndevice  "
        + device.name()
        + ", alignment "
        + Sizes.size(properties.byteAlignment())
        + ", max page size "
        + Sizes.size(properties.maxPageSize().bytes())
        + "\n\n"
        + PoolTable.of(resolved);
  }
}
