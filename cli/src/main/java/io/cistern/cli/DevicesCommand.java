package io.cistern.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageProvider;
import io.cistern.trace.ReportJson;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the devices. */
@Command(
    name = "devices",
    description =
        "List the devices on this machine, their alignments and limits, and what is missing for others.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {"", "Examples:", "  cistern devices", "  cistern devices --json"})
final class DevicesCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "List as JSON.")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // The parser sets the fields.
  DevicesCommand() {}

  @Override
  public Integer call() {
    List<StorageProvider> kinds = ChosenDevice.kinds();
    spec.commandLine().getOut().print(json ? toJson(kinds) : toText(kinds));
    spec.commandLine().getOut().flush();
    return ExitCodes.DONE;
  }

  private static String toText(List<StorageProvider> kinds) {
    StringBuilder text = new StringBuilder();
    for (StorageProvider kind : kinds) {
      DeviceList found = kind.devices();
      if (found.devices().isEmpty()) {
        text.append(String.format(Locale.ROOT, "%s  none: %s%n", kind.name(), found.whyNone()));
      }
      for (int i = 0; i < found.devices().size(); i++) {
        text.append(toText(kind.name() + ":" + i, found.devices().get(i)));
      }
    }
    return text.toString();
  }

  private static String toText(String name, DeviceInfo found) {
    DeviceProperties device = found.properties();
    return String.format(
        Locale.ROOT,
        """
        %s  %s
          driver %s
          memory %s, max page size %s
          alignment %s, of blocks %s
          limits %s
          %s
        """,
        name,
        device.name(),
        found.driver(),
        Sizes.size(device.total().bytes()),
        Sizes.size(device.maxPageSize().bytes()),
        Sizes.size(device.byteAlignment()),
        Sizes.size(device.blockAlignment()),
        found.limits().isEmpty() ? "none" : limits(found),
        features(device).isEmpty() ? "no features" : String.join(", ", features(device)));
  }

  private static String limits(DeviceInfo found) {
    return found.limits().entrySet().stream()
        .map(limit -> limit.getKey() + " " + limit.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String toJson(List<StorageProvider> kinds) {
    return ReportJson.document(
        json -> {
          Map<String, String> none = new LinkedHashMap<>();
          json.writeStartObject();
          json.writeArrayFieldStart("devices");
          for (StorageProvider kind : kinds) {
            DeviceList found = kind.devices();
            if (found.devices().isEmpty()) {
              none.put(kind.name(), found.whyNone());
            }
            for (int i = 0; i < found.devices().size(); i++) {
              write(json, kind.name(), i, found.devices().get(i));
            }
          }
          json.writeEndArray();
          json.writeObjectFieldStart("none");
          for (Map.Entry<String, String> kind : none.entrySet()) {
            json.writeStringField(kind.getKey(), kind.getValue());
          }
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  private static void write(JsonGenerator json, String kind, int index, DeviceInfo found)
      throws IOException {
    DeviceProperties device = found.properties();
    json.writeStartObject();
    json.writeStringField("kind", kind);
    json.writeNumberField("index", index);
    json.writeStringField("name", device.name());
    json.writeStringField("driver", found.driver());
    json.writeNumberField("memory", device.total().bytes());
    json.writeNumberField("alignment", device.byteAlignment());
    json.writeNumberField("blockAlignment", device.blockAlignment());
    json.writeNumberField("maxPageSize", device.maxPageSize().bytes());
    json.writeObjectFieldStart("limits");
    for (Map.Entry<String, Long> limit : found.limits().entrySet()) {
      json.writeNumberField(limit.getKey(), limit.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("features");
    for (String feature : features(device)) {
      json.writeString(feature);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static List<String> features(DeviceProperties device) {
    return device.features().stream()
        .sorted()
        .map(Feature::name)
        .map(name -> name.toLowerCase(Locale.ROOT).replace('_', '-'))
        .collect(Collectors.toList());
  }
}
