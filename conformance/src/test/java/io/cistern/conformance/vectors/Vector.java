package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.conformance.Json;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One recorded script: a device, a layout, and steps with what the reference answered. */
record Vector(String name, ObjectNode json, List<ObjectNode> steps) {

  /** More than any vector asks for. */
  private static final MemorySize DEVICE_MEMORY = MemorySize.of(1L << 62);

  private static final long BLOCK_ALIGNMENT = 4096;

  /** What Cistern can't do yet, by the words of the steps. */
  private static final Set<String> LATER =
      Set.of(
          "binding",
          "bind",
          "can_mut",
          "capture_begin",
          "capture_end",
          "clone",
          "cursor",
          "dryrun",
          "mode",
          "priming_end",
          "uninit");

  /** Reads a vector; where {@code corrected/} holds one of that name, that one counts. */
  static Vector read(Path file) {
    Path corrected = file.resolveSibling("corrected").resolve(file.getFileName());
    ObjectNode json = Json.read(Files.exists(corrected) ? corrected : file);
    List<ObjectNode> steps = json.get("steps").valueStream().map(ObjectNode.class::cast).toList();
    return new Vector(json.get("name").asText(), json, steps);
  }

  /** The words that this vector has to wait for; empty if Cistern can do it all. */
  Optional<String> waitsFor() {
    List<String> words =
        steps.stream()
            .map(step -> step.get("op").asText())
            .distinct()
            .filter(LATER::contains)
            .toList();
    if (!words.isEmpty()) {
      return Optional.of(String.join(", ", words));
    }
    String persistent = json.get("persistent_memory").asText();
    return persistent.equals("enabled") && !Json.has(json, "forced_mode")
        ? Optional.empty()
        : Optional.of("persistent memory " + persistent);
  }

  /** A random stream: a better or worse fit may show for a while. */
  boolean isRandom() {
    return name.startsWith("random_") || Json.texts(json.get("tags")).contains("random");
  }

  /** Whether a manager is made. */
  boolean hasManager() {
    return Json.has(json, "setup");
  }

  JsonNode layout() {
    return json.get("layout");
  }

  /** What the reference answered when the manager was made. */
  ObjectNode setup() {
    return (ObjectNode) json.get("setup");
  }

  /** The device's alignment, as it stands in the file. */
  JsonNode alignment() {
    return json.at("/device/alignment");
  }

  DeviceProperties device() {
    return device(alignment(), json.at("/device/max_page_size"));
  }

  /** A device of this vector's kind with an alignment and a hint for presets. */
  DeviceProperties device(JsonNode alignment, JsonNode maxPageSize) {
    Set<Feature> features = EnumSet.of(Feature.ADDRESS);
    if (json.get("exclusive_memory_only").asBoolean()) {
      features.add(Feature.EXCLUSIVE_MEMORY_ONLY);
    }
    long byteAlignment = Json.number(alignment);
    return new DeviceProperties(
        "vector " + name,
        DEVICE_MEMORY,
        MemorySize.of(Json.number(maxPageSize)),
        byteAlignment,
        Math.max(byteAlignment, BLOCK_ALIGNMENT),
        features);
  }
}
