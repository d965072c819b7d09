package io.cistern.hip;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The example of the guide page, which shows what stands between the marks. */
final class GuideExample {

  private final Kernel kernel;

  GuideExample(Kernel kernel) {
    this.kernel = kernel;
  }

  /** A kernel as a binding of your own launches it. */
  interface Kernel {
    void launch(long stream, long input, long output, int count);
  }

  /** Runs the example; what it computes is what the kernel does with 0, 1, 2, .... */
  float run() {
    // guide: begin
    try (GpuStorage storage = HipStorage.open();
        MemoryManager manager = MemoryManager.open(storage, MemoryPoolsConfig.Preset.SUB_SLICES);
        GpuStream stream = GpuStream.open(storage);
        Allocation input = manager.allocate(1000 * Float.BYTES);
        Allocation output = manager.allocate(1000 * Float.BYTES)) {

      // Fill: from the host, done when the call returns; on the stream, queued then.
      float[] numbers = new float[1000];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = i;
      }
      input.write(0, MemorySegment.ofArray(numbers));
      stream.fill(output, 0, output.byteSize(), (byte) 0);

      // Use: a kernel takes the slices' addresses, and its launch the stream's handle.
      kernel.launch(stream.handle(), input.address(), output.address(), numbers.length);

      // Until the kernel is done the slice is not used again, though its handle may be closed.
      output.usedUntil(stream.fence());

      // Read back.
      stream.await();
      MemorySegment found = MemorySegment.ofArray(new float[1000]);
      output.read(0, found);
      return found.getAtIndex(ValueLayout.JAVA_FLOAT, 999);
    }
    // guide: end
  }
}
