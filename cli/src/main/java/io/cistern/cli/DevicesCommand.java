package io.cistern.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageProvider;
import io.cistern.trace.report.ReportJson;
import java.io.IOException;
import java.util.ArrayList;
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

  private static final int WIDTH = 80;

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
    StringBuilder text = new StringBuilder(name + "  " + device.name() + "\n");
    addLine(text, List.of("driver " + found.driver()));
    addLine(
        text,
        List.of(
            "memory " + Sizes.size(device.total().bytes()),
            "max page size " + Sizes.size(device.maxPageSize().bytes())));
    addLine(
        text,
        List.of(
            "alignment " + Sizes.size(device.byteAlignment()),
            "of blocks " + Sizes.size(device.blockAlignment())));
    addLine(text, words("limits", found.limits(), " "));
    addLine(text, words("settings", found.settings(), "="));
    addLine(text, features(device));
    return text.toString();
  }

  /** Parts with commas between, in as many lines as a terminal needs. */
  private static void addLine(StringBuilder text, List<String> parts) {
    int start = text.length();
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i) + (i + 1 < parts.size() ? "," : "");
      boolean first = i == 0;
      if (!first && text.length() - start + 1 + part.length() > WIDTH) {
        text.append('\n');
        start = text.length();
        first = true;
      }
      text.append(first ? "  " : " ").append(part);
    }
    if (!parts.isEmpty()) {
      text.append('\n');
    }
  }

  private static List<String> words(String what, Map<String, ?> named, String between) {
    List<String> words = new ArrayList<>();
    named.forEach(
        (name, value) -> words.add((words.isEmpty() ? what + " " : "") + name + between + value));
    return words;
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
    json.writeObjectFieldStart("settings");
    for (Map.Entry<String, String> setting : found.settings().entrySet()) {
      json.writeStringField(setting.getKey(), setting.getValue());
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
