package io.cistern.toml;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of pools. */
enum PoolType {
  EXCLUSIVE,
  DIRECT,
  SLICED;

  /** The keys that an entry of this kind may have beside its type. */
  List<String> keys() {
    return switch (this) {
      case EXCLUSIVE -> List.of(Key.MAX_ALLOC_SIZE, Key.DEALLOC_PERIOD);
      case DIRECT -> List.of(Key.RECLAIM_AT);
      case SLICED ->
          List.of(Key.PAGE_SIZE, Key.MAX_SLICE_SIZE, Key.MAX_POOL_SIZE, Key.DEALLOC_PERIOD);
    };
  }

  /** The name as layout files write it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(PoolType::text).toList();
  }

  static Optional<PoolType> named(String text) {
    return Arrays.stream(values()).filter(type -> type.text().equals(text)).findFirst();
  }

  /** The first kind that has a key. */
  static Optional<PoolType> withKey(String key) {
    return Arrays.stream(values()).filter(type -> type.keys().contains(key)).findFirst();
  }
}
