package io.cistern.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lwjgl.opencl.CL10.CL_CONTEXT_REFERENCE_COUNT;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.clBuildProgram;
import static org.lwjgl.opencl.CL10.clCreateKernel;
import static org.lwjgl.opencl.CL10.clCreateProgramWithSource;
import static org.lwjgl.opencl.CL10.clGetContextInfo;
import static org.lwjgl.opencl.CL10.clReleaseKernel;
import static org.lwjgl.opencl.CL10.clReleaseProgram;
import static org.lwjgl.opencl.CL10.nclEnqueueNDRangeKernel;
import static org.lwjgl.system.MemoryUtil.memAddress;

import io.cistern.MemorySize;
import io.cistern.storage.StorageOptions;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/** The driver on this machine, and what tests do with it that users do too. */
final class OpenClDriver {

  static final StorageOptions SMALL = StorageOptions.DEFAULT.withCapacity(MemorySize.ofMiB(64));

  private OpenClDriver() {}

  /** Whether there is one; why not, the skipped tests say. */
  static boolean isThere() {
    OpenClDevices found = OpenClDevices.find();
    if (found.devices().isEmpty()) {
      System.out.println("skipped: no OpenCL device: " + found.whyNone());
    }
    return !found.devices().isEmpty();
  }

  static OpenClStorage open(String memory) {
    return OpenClStorage.open(SMALL.withSetting("memory", memory));
  }

  /** The references that are held on a context. */
  static int references(long context) {
    int[] count = new int[1];
    clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, count, null);
    return count[0];
  }

  static void check(int code) {
    assertThat(code).as(OpenClErrors.name(code)).isEqualTo(CL_SUCCESS);
  }

  /** A kernel from source. */
  static final class Kernel implements AutoCloseable {
    final long kernel;
    private final long program;

    Kernel(OpenClStorage storage, String name, String source) {
      int[] code = new int[1];
      program = clCreateProgramWithSource(storage.context(), source, null);
      check(clBuildProgram(program, storage.device(), "", null, 0));
      kernel = clCreateKernel(program, name, code);
      check(code[0]);
    }

    /** Runs once for each of so many, behind an event; 0: behind none. */
    void run(OpenClQueue queue, long count, long behind) {
      try (MemoryStack stack = MemoryStack.stackPush()) {
        PointerBuffer work = stack.pointers(count);
        PointerBuffer events = stack.pointers(behind);
        check(
            nclEnqueueNDRangeKernel(
                queue.queue(),
                kernel,
                1,
                0,
                memAddress(work),
                0,
                behind == 0 ? 0 : 1,
                behind == 0 ? 0 : memAddress(events),
                0));
      }
    }

    @Override
    public void close() {
      clReleaseKernel(kernel);
      clReleaseProgram(program);
    }
  }
}
