package io.cistern.gpu.check;

import io.cistern.MemorySize;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.util.List;

/**
 * The device that is checked.
 *
 * @param provider who opens it
 * @param index which of its kind
 * @param info what it is
 */
record Subject(StorageProvider provider, int index, DeviceInfo info) {

  /** Enough for every check, and little of a device that others may use too. */
  private static final MemorySize CAPACITY = MemorySize.ofMiB(1024);

  /** Pinned memory is taken from the whole machine. */
  private static final MemorySize PINNED_CAPACITY = MemorySize.ofMiB(256);

  /** The kinds of memory that the device has. */
  List<String> memories() {
    return List.of(info.settings().getOrDefault("memory", "device").split("\\|"));
  }

  /** Opens the device with a kind of memory. */
  Storage open(String memory) {
    return provider.open(
        StorageOptions.DEFAULT
            .withIndex(index)
            .withCapacity(memory.equals("pinned") ? PINNED_CAPACITY : CAPACITY)
            .withSetting("memory", memory));
  }
}
