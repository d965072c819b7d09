package io.cistern.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** When a request is served by the persistent pool, which stands beside the layout. */
public enum PersistentMemory {
  /** Inside persistent windows; the default. */
  ENABLED,
  /** As {@link #ENABLED}, and wherever the aligned size has a persistent bucket already. */
  SIZE_MATCH,
  /** Never: windows have no effect. */
  DISABLED,
  /** Always. */
  ENFORCED;

  /** The name as layout files write it, such as {@code size-match}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The setting that a text names, if one does. */
  public static Optional<PersistentMemory> named(String text) {
    return Arrays.stream(values()).filter(setting -> setting.text().equals(text)).findFirst();
  }

  @Override
  public String toString() {
    return text();
  }
}
