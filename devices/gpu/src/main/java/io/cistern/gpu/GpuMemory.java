package io.cistern.gpu;

import io.cistern.MemorySize;
import io.cistern.gpu.driver.GpuCall;
import io.cistern.storage.StorageOptions;
import java.util.List;

/** The kinds of memory that a storage's blocks can be of, as the setting names them. */
enum GpuMemory {
  DEVICE("device"),
  ASYNC("async"),
  PINNED("pinned"),
  MANAGED("managed");

  static final String SETTING = "memory";
  static final String THRESHOLD_SETTING = "release-threshold";

  private final String text;

  GpuMemory(String text) {
    this.text = text;
  }

  /**
   * The kind that is asked for.
   *
   * @throws IllegalArgumentException if there is no such kind; names those there are
   */
  static GpuMemory of(StorageOptions options) {
    String asked = options.setting(SETTING, DEVICE.text, ASYNC.text, PINNED.text, MANAGED.text);
    for (GpuMemory memory : values()) {
      if (memory.text.equals(asked)) {
        return memory;
      }
    }
    throw new AssertionError("a setting is one of its values: " + asked);
  }

  String text() {
    return text;
  }

  /**
   * How much a pool of the driver's keeps, in bytes.
   *
   * @throws IllegalArgumentException if it is set for another kind, or is no size
   */
  long threshold(StorageOptions options, MemorySize without) {
    String asked = options.settings().get(THRESHOLD_SETTING);
    if (asked == null) {
      return without.bytes();
    }
    if (this != ASYNC) {
      throw GpuErrors.settingOfAsync(THRESHOLD_SETTING, text);
    }
    try {
      return MemorySize.parse(asked).bytes();
    } catch (IllegalArgumentException e) {
      throw GpuErrors.badSize(THRESHOLD_SETTING, asked);
    }
  }

  /**
   * Checks that a device has this kind.
   *
   * @throws IllegalArgumentException if not; says what is missing
   */
  void checkThere(GpuDevice device) {
    for (GpuCall call : needs()) {
      if (!device.driver().has(call)) {
        throw GpuErrors.noSuchMemory(device, text, GpuErrors.noFunction(device.driver(), call));
      }
    }
    if (!isSupported(device)) {
      throw GpuErrors.noSuchMemory(device, text, "the device does not support it");
    }
  }

  /** The functions that not every driver has. */
  private List<GpuCall> needs() {
    return switch (this) {
      case DEVICE -> List.of();
      case ASYNC ->
          List.of(
              GpuCall.POOL_CREATE,
              GpuCall.POOL_SET,
              GpuCall.POOL_DESTROY,
              GpuCall.ALLOCATE_FROM_POOL,
              GpuCall.FREE_TO_POOL);
      case PINNED -> List.of(GpuCall.ALLOCATE_HOST, GpuCall.FREE_HOST);
      case MANAGED -> List.of(GpuCall.ALLOCATE_MANAGED);
    };
  }

  private boolean isSupported(GpuDevice device) {
    return switch (this) {
      case ASYNC -> device.pools();
      case MANAGED -> device.managed();
      case DEVICE, PINNED -> true;
    };
  }

  /** Whether a device has this kind. */
  boolean isThere(GpuDevice device) {
    return isSupported(device) && needs().stream().allMatch(device.driver()::has);
  }

  /** Whether the host may use it at any time, also while the device does. */
  boolean isSeenByHost(GpuDevice device) {
    return this == PINNED || (this == MANAGED && device.concurrent());
  }
}
