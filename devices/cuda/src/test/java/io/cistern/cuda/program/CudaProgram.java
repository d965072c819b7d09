package io.cistern.cuda.program;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.cuda.CudaStorage;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageOptions;

/** A user's program, which runs in a JVM of its own. */
public final class CudaProgram {

  private CudaProgram() {}

  /** Uses memory of each kind, then says so. */
  public static void main(String[] args) {
    for (String memory : new String[] {"device", "async", "pinned", "managed"}) {
      StorageOptions options = StorageOptions.DEFAULT.withSetting("memory", memory);
      try (GpuStorage storage = CudaStorage.open(options);
          GpuStream stream = GpuStream.open(storage);
          MemoryManager manager = MemoryManager.open(storage, MemoryPoolsConfig.Preset.SUB_SLICES);
          Allocation slice = manager.allocate(1000)) {
        stream.fill(slice, 0, 1000, (byte) 1);
        stream.await();
      }
    }
    System.out.println("done");
  }
}
