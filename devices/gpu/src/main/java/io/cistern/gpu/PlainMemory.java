package io.cistern.gpu;

import io.cistern.gpu.driver.GpuCall;

/**
 * Memory that one call gives and another takes: device, pinned and managed memory.
 *
 * @param context the device
 * @param taking gives memory, by where the address goes, the size, and {@code flags}
 * @param flags what else the call takes
 * @param ending takes memory back, by its address
 */
record PlainMemory(GpuContext context, GpuCall taking, long[] flags, GpuCall ending)
    implements BlockSource {

  /** Usable by every context, and by the device at the same address. */
  private static final long PORTABLE_AND_MAPPED = 0x1 | 0x2;

  /** Usable by every stream. */
  private static final long GLOBAL = 0x1;

  static BlockSource device(GpuContext context) {
    return new PlainMemory(context, GpuCall.ALLOCATE, new long[0], GpuCall.FREE);
  }

  static BlockSource pinned(GpuContext context) {
    return new PlainMemory(
        context, GpuCall.ALLOCATE_HOST, new long[] {PORTABLE_AND_MAPPED}, GpuCall.FREE_HOST);
  }

  static BlockSource managed(GpuContext context) {
    return new PlainMemory(context, GpuCall.ALLOCATE_MANAGED, new long[] {GLOBAL}, GpuCall.FREE);
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
