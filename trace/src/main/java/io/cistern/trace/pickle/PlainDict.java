package io.cistern.trace.pickle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A dictionary of a pickle, made for few keys: it is searched from end to start. */
public final class PlainDict {

  // Keys at even places, their values behind them.
  private @Nullable Object[] entries = {};
  private int end;

  PlainDict() {}

  void put(@Nullable Object key, @Nullable Object value) {
    if (end == entries.length) {
      entries = Arrays.copyOf(entries, Math.max(8, end + (end >> 1) & ~1));
    }
    entries[end] = key;
    entries[end + 1] = value;
    end += 2;
  }

  /** Whether there is a value. */
  public boolean has(String key) {
    return find(key) >= 0;
  }

  /** The value of a key: a Long, Double, String, Boolean, List or dictionary; null if none. */
  public @Nullable Object get(String key) {
    int place = find(key);
    return place < 0 ? null : entries[place + 1];
  }

  /** The entries, keys that were given twice counted twice. */
  public int size() {
    return end / 2;
  }

  private int find(String key) {
    for (int i = end - 2; i >= 0; i -= 2) {
      if (key.equals(entries[i])) {
        return i;
      }
    }
    return -1;
  }
}
