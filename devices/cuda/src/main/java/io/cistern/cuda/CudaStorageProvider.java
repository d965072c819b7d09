package io.cistern.cuda;

import io.cistern.gpu.GpuStorageProvider;

/** Finds CUDA devices. Immutable; safe for many threads. */
public final class CudaStorageProvider extends GpuStorageProvider {

  /** For {@link java.util.ServiceLoader}. */
  public CudaStorageProvider() {
    super(Cuda.DIALECT);
  }
}
