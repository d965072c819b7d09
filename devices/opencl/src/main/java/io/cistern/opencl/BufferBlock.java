package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_MEM_READ_WRITE;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.CL_TRUE;
import static org.lwjgl.opencl.CL10.clReleaseMemObject;
import static org.lwjgl.opencl.CL10.nclCreateBuffer;
import static org.lwjgl.opencl.CL10.nclEnqueueReadBuffer;
import static org.lwjgl.opencl.CL10.nclEnqueueWriteBuffer;
import static org.lwjgl.opencl.CL11.CL_BUFFER_CREATE_TYPE_REGION;
import static org.lwjgl.opencl.CL11.nclCreateSubBuffer;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** A memory object, and the sub-buffers that are made of it. */
final class BufferBlock extends OpenClBlock {

  private final long mem;

  // Guarded by this: sub-buffers that nobody has released yet. Each holds the memory of the whole.
  private final Set<Long> parts = new HashSet<>();

  private BufferBlock(OpenClStorage storage, long byteSize, long mem) {
    super(storage, byteSize);
    this.mem = mem;
  }

  static BufferBlock make(OpenClStorage storage, long byteSize) {
    String device = storage.properties().name();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      var code = stack.callocInt(1);
      long mem =
          nclCreateBuffer(
              storage.context(), CL_MEM_READ_WRITE, byteSize, 0, MemoryUtil.memAddress(code));
      if (code.get(0) != CL_SUCCESS) {
        throw OpenClErrors.refused(device, "clCreateBuffer", byteSize, code.get(0));
      }
      // Without this a driver may take memory at the first use, and fail there.
      int moved = storage.copies().moveToDevice(mem);
      if (moved != CL_SUCCESS) {
        clReleaseMemObject(mem);
        throw OpenClErrors.refused(device, "clEnqueueMigrateMemObjects", byteSize, moved);
      }
      return new BufferBlock(storage, byteSize, mem);
    }
  }

  @Override
  public synchronized long mem() {
    checkHeld();
    return mem;
  }

  /** Makes a sub-buffer, which is released by {@link #releasePart} or with this block. */
  synchronized long makePart(long byteOffset, long count) {
    checkHeld();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      var code = stack.callocInt(1);
      PointerBuffer region = stack.pointers(byteOffset, count);
      long part =
          nclCreateSubBuffer(
              mem,
              0,
              CL_BUFFER_CREATE_TYPE_REGION,
              MemoryUtil.memAddress(region),
              MemoryUtil.memAddress(code));
      if (code.get(0) != CL_SUCCESS) {
        throw OpenClErrors.refused(deviceName(), "clCreateSubBuffer", count, code.get(0));
      }
      parts.add(part);
      return part;
    }
  }

  /** Releases a sub-buffer, if it is still there. */
  synchronized void releasePart(long part) {
    if (parts.remove(part)) {
      clReleaseMemObject(part);
    }
  }

  @Override
  void release() {
    parts.forEach(part -> clReleaseMemObject(part));
    parts.clear();
    int code = clReleaseMemObject(mem);
    if (code != CL_SUCCESS) {
      throw OpenClErrors.refused(deviceName(), "clReleaseMemObject", byteSize(), code);
    }
  }

  @Override
  void readNow(long byteOffset, MemorySegment host) {
    int code =
        nclEnqueueReadBuffer(
            storage().copies().queue(),
            mem,
            CL_TRUE,
            byteOffset,
            host.byteSize(),
            host.address(),
            0,
            0,
            0);
    checkCopied("clEnqueueReadBuffer", host, code);
  }

  @Override
  void writeNow(long byteOffset, MemorySegment host) {
    int code =
        nclEnqueueWriteBuffer(
            storage().copies().queue(),
            mem,
            CL_TRUE,
            byteOffset,
            host.byteSize(),
            host.address(),
            0,
            0,
            0);
    checkCopied("clEnqueueWriteBuffer", host, code);
  }

  @Override
  public MemorySegment segment() {
    throw OpenClErrors.noSegment(deviceName());
  }

  @Override
  public long address() {
    throw OpenClErrors.noAddress(deviceName());
  }
}
