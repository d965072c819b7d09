package io.cistern.toml;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.HashMap;
import java.util.Map;

/** Where in a text the keys and values stand: offsets from 0, by path. */
final class Places {
  private final Map<JsonPointer, Integer> keys = new HashMap<>();
  private final Map<JsonPointer, Integer> values = new HashMap<>();

  void putKey(JsonPointer path, int offset) {
    keys.put(path, offset);
  }

  void putValue(JsonPointer path, int offset) {
    values.put(path, offset);
  }

  boolean hasKey(JsonPointer path) {
    return keys.containsKey(path);
  }

  boolean hasValue(JsonPointer path) {
    return values.containsKey(path);
  }

  /** Where the key begins; for what has none, such as an element of a list, the value. */
  int key(JsonPointer path) {
    Integer offset = keys.get(path);
    return offset == null ? value(path) : offset;
  }

  /** Where the value begins; for what has none, what it would stand in. */
  int value(JsonPointer path) {
    for (JsonPointer at = path; at != null; at = at.head()) {
      Integer offset = values.get(at);
      if (offset != null) {
        return offset;
      }
    }
    return 0;
  }
}
