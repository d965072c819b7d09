package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_MEM_READ_WRITE;
import static org.lwjgl.opencl.CL10.CL_TRUE;
import static org.lwjgl.opencl.CL20.CL_MEM_SVM_FINE_GRAIN_BUFFER;
import static org.lwjgl.opencl.CL20.nclEnqueueSVMMemcpy;
import static org.lwjgl.opencl.CL20.nclSVMAlloc;
import static org.lwjgl.opencl.CL20.nclSVMFree;

import io.cistern.DeviceMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Shared virtual memory. Where the host sees it, its segments end with the block.
 *
 * <p>Drivers promise no alignment above their largest data type, so a larger one is had by asking
 * for more and starting further in.
 */
final class SharedBlock extends OpenClBlock {

  private final long start;
  private final long address;

  // Handed out only where the host sees the memory.
  private final Arena arena;
  private final MemorySegment segment;

  @SuppressWarnings({"restricted", "MustBeClosedChecker"}) // Ours until release, which closes it.
  private SharedBlock(OpenClStorage storage, long byteSize, long start, long address) {
    super(storage, byteSize);
    this.start = start;
    this.address = address;
    this.arena = Arena.ofShared();
    this.segment = MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }

  static SharedBlock make(OpenClStorage storage, long byteSize) {
    long own = storage.described().byteAlignment();
    long asked = storage.properties().blockAlignment();
    long flags =
        CL_MEM_READ_WRITE
            | (storage.memory() == OpenClMemory.SVM_FINE ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0);
    // The limits leave room: a block has at most what the device has.
    long start = nclSVMAlloc(storage.context(), flags, byteSize + asked - own, (int) own);
    if (start == 0) {
      throw OpenClErrors.refused(
          storage.properties().name(), "clSVMAlloc", byteSize, OpenClErrors.NO_CODE);
    }
    return new SharedBlock(storage, byteSize, start, (start + asked - 1) & -asked);
  }

  @Override
  public long mem() {
    throw OpenClErrors.noBuffer(deviceName());
  }

  /** Ends the scope, then gives the memory back: never the other way round. */
  @Override
  void release() {
    try {
      arena.close();
    } catch (IllegalStateException e) {
      throw new DeviceMemoryException(
          this + " can't be given back while it is accessed: " + e.getMessage(),
          byteSize(),
          DeviceMemoryException.Reason.IN_USE,
          e);
    }
    nclSVMFree(storage().context(), start);
  }

  @Override
  void readNow(long byteOffset, MemorySegment host) {
    copy(host, host.address(), address + byteOffset);
  }

  @Override
  void writeNow(long byteOffset, MemorySegment host) {
    copy(host, address + byteOffset, host.address());
  }

  private void copy(MemorySegment host, long target, long source) {
    int code =
        nclEnqueueSVMMemcpy(
            storage().copies().queue(), CL_TRUE, target, source, host.byteSize(), 0, 0, 0);
    checkCopied("clEnqueueSVMMemcpy", host, code);
  }

  @Override
  public MemorySegment segment() {
    if (storage().memory() != OpenClMemory.SVM_FINE) {
      throw OpenClErrors.noSegment(deviceName());
    }
    return segment;
  }

  @Override
  public long address() {
    return address;
  }
}
