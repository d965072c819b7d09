package io.cistern.gpu;

import io.cistern.gpu.driver.GpuCall;

/** Memory that one call gives and another takes: device, pinned and managed memory. */
final class PlainMemory implements BlockSource {

  /** Usable by every context, and by the device at the same address. */
  private static final long PORTABLE_AND_MAPPED = 0x1 | 0x2;

  /** Usable by every stream. */
  private static final long GLOBAL = 0x1;

  private final GpuContext context;
  private final GpuCall taking;
  private final GpuCall ending;
  private final long[] flags; // none or one, as the call takes it

  private PlainMemory(GpuContext context, GpuCall taking, GpuCall ending, long... flags) {
    this.context = context;
    this.taking = taking;
    this.ending = ending;
    this.flags = flags;
  }

  static BlockSource device(GpuContext context) {
    return new PlainMemory(context, GpuCall.ALLOCATE, GpuCall.FREE);
  }

  static BlockSource pinned(GpuContext context) {
    return new PlainMemory(context, GpuCall.ALLOCATE_HOST, GpuCall.FREE_HOST, PORTABLE_AND_MAPPED);
  }

  static BlockSource managed(GpuContext context) {
    return new PlainMemory(context, GpuCall.ALLOCATE_MANAGED, GpuCall.FREE, GLOBAL);
  }

  @Override
  public long take(long byteSize) {
    return flags.length == 0
        ? context.get(taking, byteSize, byteSize)
        : context.get(taking, byteSize, byteSize, flags[0]);
  }

  @Override
  public void giveBack(long address, long byteSize) {
    context.run(ending, byteSize, address);
  }
}
