package io.cistern.hip;

import io.cistern.gpu.GpuStorageProvider;

/** Finds HIP devices. Immutable; safe for many threads. */
public final class HipStorageProvider extends GpuStorageProvider {

  /** For {@link java.util.ServiceLoader}. */
  public HipStorageProvider() {
    super(Hip.DIALECT);
  }
}
