package io.cistern.opencl;

import io.cistern.storage.Feature;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.lwjgl.opencl.CL20;

/** What blocks are made of: the setting {@code memory}. */
enum OpenClMemory {
  /** Memory objects; kernels get sub-buffers. */
  BUFFER(0, Set.of(Feature.COPY)),
  /** Shared virtual memory that the host sees by copies; kernels get addresses. */
  SVM_COARSE(CL20.CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, Set.of(Feature.COPY, Feature.ADDRESS)),
  /** Shared virtual memory that host and kernels see at the same time. */
  SVM_FINE(
      CL20.CL_DEVICE_SVM_FINE_GRAIN_BUFFER,
      Set.of(Feature.COPY, Feature.ADDRESS, Feature.HOST_ACCESS));

  private final long capability;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes sets that do not change.
  private final Set<Feature> features;

  OpenClMemory(long capability, Set<Feature> features) {
    this.capability = capability;
    this.features = features;
  }

  /** Whether a device with these capabilities of shared memory has it. */
  boolean isIn(long capabilities) {
    return (capabilities & capability) == capability;
  }

  boolean isShared() {
    return this != BUFFER;
  }

  Set<Feature> features() {
    return features;
  }

  /** The value of the setting. */
  String setting() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All values of the setting, the one that is meant without it first. */
  static String[] settings() {
    return Arrays.stream(values()).map(OpenClMemory::setting).toArray(String[]::new);
  }

  static OpenClMemory of(String setting) {
    return valueOf(setting.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
