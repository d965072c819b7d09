package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.config.PersistentMemory;
import io.cistern.conformance.Json;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One recorded script: a device, a layout, and steps with what the reference answered. */
record Vector(String name, ObjectNode json, List<ObjectNode> steps) {

  /** More than any vector asks for. */
  private static final MemorySize DEVICE_MEMORY = MemorySize.of(1L << 62);

  private static final long BLOCK_ALIGNMENT = 4096;

  /** Reads a vector; where {@code corrected/} holds one of that name, that one counts. */
  static Vector read(Path file) {
    Path corrected = file.resolveSibling("corrected").resolve(file.getFileName());
    ObjectNode json = Json.read(Files.exists(corrected) ? corrected : file);
    List<ObjectNode> steps = json.get("steps").valueStream().map(ObjectNode.class::cast).toList();
    if (Json.has(json, "forced_mode")) {
      steps = steps.stream().takeWhile(step -> !step.get("op").asText().equals("mode")).toList();
    }
    return new Vector(json.get("name").asText(), json, steps);
  }

  /** Cistern has no forced mode; until the first change of mode a setting has the same effect. */
  PersistentMemory persistentMemory() {
    return switch (json.path("forced_mode").asText("")) {
      case "persistent" -> PersistentMemory.ENFORCED;
      case "auto" -> PersistentMemory.ENABLED;
      default -> PersistentMemory.named(json.get("persistent_memory").asText()).orElseThrow();
    };
  }

  /** Whether pages are made that the driver does not stand behind. */
  boolean hasDryRun() {
    return steps.stream().anyMatch(step -> step.get("op").asText().equals("dryrun"));
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
