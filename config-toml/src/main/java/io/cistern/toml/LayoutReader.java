package io.cistern.toml;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.cistern.MemorySize;
import io.cistern.MemorySizeFormatException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.MemoryPoolsConfig.Preset;
import io.cistern.config.PersistentMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Turns the values of a document into a layout; the first fault decides. */
final class LayoutReader {

  private static final JsonPointer ROOT = JsonPointer.empty();

  private final Document document;

  LayoutReader(Document document) {
    this.document = document;
  }

  /**
   * Reads the whole document.
   *
   * @throws LayoutFileException if it says what no layout can mean
   */
  LayoutFile read() {
    if (!document.root().isObject()) {
      throw document.faultAtValue(ROOT, Reasons.notALayout());
    }
    for (String key : keys(ROOT)) {
      if (!key.equals(Key.PERSISTENT) && !key.equals(Key.POOLS)) {
        throw document.faultAtKey(ROOT.appendProperty(key), Reasons.unknownKeyOfFile(key));
      }
    }
    PersistentMemory persistent = persistent(ROOT.appendProperty(Key.PERSISTENT));
    return new LayoutFile(pools(ROOT.appendProperty(Key.POOLS)), persistent);
  }

  private PersistentMemory persistent(JsonPointer path) {
    JsonNode value = document.value(path);
    if (value.isMissingNode()) {
      return PersistentMemory.ENABLED;
    }
    List<String> possible =
        Arrays.stream(PersistentMemory.values()).map(PersistentMemory::text).toList();
    if (!value.isTextual()) {
      throw document.faultAtValue(path, Reasons.notAWord(Key.PERSISTENT, value, possible));
    }
    return PersistentMemory.named(value.textValue())
        .orElseThrow(
            () ->
                document.faultAtValue(
                    path, Reasons.unknownWord("setting", value.textValue(), possible)));
  }

  private MemoryPoolsConfig pools(JsonPointer path) {
    JsonNode value = document.value(path);
    if (value.isTextual()) {
      return preset(path, value.textValue());
    }
    if (value.isMissingNode()) {
      throw document.faultAtValue(ROOT, Reasons.poolsMissing());
    }
    if (!value.isArray()) {
      throw document.faultAtValue(path, Reasons.notPools(value));
    }
    List<MemoryPoolConfig> pools = new ArrayList<>();
    for (int entry = 0; entry < value.size(); entry++) {
      pools.add(pool(path.appendIndex(entry)));
    }
    return new MemoryPoolsConfig.Explicit(pools);
  }

  private Preset preset(JsonPointer path, String name) {
    List<String> possible = Arrays.stream(Preset.values()).map(Preset::text).toList();
    return Preset.named(name)
        .orElseThrow(
            () -> document.faultAtValue(path, Reasons.unknownWord("preset", name, possible)));
  }

  private MemoryPoolConfig pool(JsonPointer path) {
    JsonNode value = document.value(path);
    if (!value.isObject()) {
      throw document.faultAtValue(path, Reasons.notAPool(value));
    }
    PoolType type = type(path);
    for (String key : keys(path)) {
      if (!key.equals(Key.TYPE) && !type.keys().contains(key)) {
        throw document.faultAtKey(path.appendProperty(key), Reasons.unknownKeyOfPool(key, type));
      }
    }
    return switch (type) {
      case EXCLUSIVE ->
          new MemoryPoolConfig.Exclusive(
              neededSize(path, type, Key.MAX_ALLOC_SIZE), count(path, Key.DEALLOC_PERIOD));
      case DIRECT -> new MemoryPoolConfig.Direct(size(path, Key.RECLAIM_AT));
      case SLICED ->
          new MemoryPoolConfig.Sliced(
              neededSize(path, type, Key.PAGE_SIZE),
              size(path, Key.MAX_SLICE_SIZE),
              size(path, Key.MAX_POOL_SIZE),
              count(path, Key.DEALLOC_PERIOD));
    };
  }

  private PoolType type(JsonPointer pool) {
    JsonPointer path = pool.appendProperty(Key.TYPE);
    JsonNode value = document.value(path);
    if (value.isMissingNode()) {
      throw document.faultAtValue(pool, Reasons.typeMissing());
    }
    if (!value.isTextual()) {
      throw document.faultAtValue(path, Reasons.notAWord(Key.TYPE, value, PoolType.texts()));
    }
    return PoolType.named(value.textValue())
        .orElseThrow(
            () ->
                document.faultAtValue(
                    path, Reasons.unknownWord("pool type", value.textValue(), PoolType.texts())));
  }

  private MemorySize neededSize(JsonPointer pool, PoolType type, String key) {
    return size(pool, key)
        .orElseThrow(() -> document.faultAtValue(pool, Reasons.keyMissing(type, key)));
  }

  private Optional<MemorySize> size(JsonPointer pool, String key) {
    JsonPointer path = pool.appendProperty(key);
    JsonNode value = document.value(path);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (value.isIntegralNumber()) {
      return Optional.of(MemorySize.of(natural(path, key, value)));
    }
    if (!value.isTextual()) {
      throw document.faultAtValue(path, Reasons.notASize(key, value));
    }
    try {
      return Optional.of(MemorySize.parse(value.textValue()));
    } catch (MemorySizeFormatException e) {
      throw document.faultAtValue(path, Reasons.notASizeText(key, e));
    }
  }

  private OptionalLong count(JsonPointer pool, String key) {
    JsonPointer path = pool.appendProperty(key);
    JsonNode value = document.value(path);
    if (value.isMissingNode()) {
      return OptionalLong.empty();
    }
    if (!value.isIntegralNumber()) {
      throw document.faultAtValue(path, Reasons.notACount(key, value));
    }
    return OptionalLong.of(natural(path, key, value));
  }

  private long natural(JsonPointer path, String key, JsonNode value) {
    if (!value.canConvertToLong() || value.longValue() < 0) {
      throw document.faultAtValue(path, Reasons.outOfRange(key, value));
    }
    return value.longValue();
  }

  /** The keys of a table in the order in which the document has them. */
  private List<String> keys(JsonPointer table) {
    List<String> keys = new ArrayList<>();
    document.value(table).fieldNames().forEachRemaining(keys::add);
    return keys;
  }
}
