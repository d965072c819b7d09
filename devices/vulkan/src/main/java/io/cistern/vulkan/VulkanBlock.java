package io.cistern.vulkan;

import static org.lwjgl.system.MemoryUtil.NULL;
import static org.lwjgl.vulkan.VK10.VK_WHOLE_SIZE;

import io.cistern.DeviceMemoryException;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block of Vulkan memory: a {@code VkDeviceMemory}, which a slice is bound by, at the slice's
 * offset.
 *
 * <p>Made by {@link VulkanStorage#allocate}; safe for many threads. Where the host sees the memory
 * it is mapped as long as the block lives. A segment that is kept beyond the give-back throws
 * {@link IllegalStateException} on access. When the block is given back, {@link VulkanBuffer}s and
 * {@link VulkanImage}s that are still bound to it are ended first.
 */
public final class VulkanBlock implements StorageBlock {

  private final VulkanStorage storage;
  private final CoveredMemory memory;
  private final long byteSize;
  private final @Nullable Arena arena;
  private final MemorySegment segment;

  // All driver's objects on this memory, which end before it does. Guarded by bound, as is alive,
  // and every call that the memory must outlive.
  private final Set<BoundResource> bound = new HashSet<>();
  private boolean alive = true;

  private VulkanBlock(
      VulkanStorage storage,
      CoveredMemory memory,
      long byteSize,
      @Nullable Arena arena,
      MemorySegment segment) {
    this.storage = storage;
    this.memory = memory;
    this.byteSize = byteSize;
    this.arena = arena;
    this.segment = segment;
  }

  static VulkanBlock unmapped(VulkanStorage storage, CoveredMemory memory, long byteSize) {
    return new VulkanBlock(storage, memory, byteSize, null, MemorySegment.NULL);
  }

  // The memory is mapped until it is freed, and the arena is closed before; both by giveBack.
  @SuppressWarnings({"restricted", "MustBeClosedChecker"})
  static VulkanBlock mapped(
      VulkanStorage storage, CoveredMemory memory, long byteSize, long address) {
    Arena arena = Arena.ofShared();
    MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
    return new VulkanBlock(storage, memory, byteSize, arena, segment);
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  /** The block's {@code VkDeviceMemory}, of which a slice takes its bytes from its offset on. */
  public long memory() {
    return memory.memory();
  }

  /**
   * The block's memory as the host sees it; its content is undefined at first. What the host writes
   * and what the device writes is seen by the other at once where the memory is coherent, and after
   * {@link #flush} and {@link #invalidate} where it is not.
   *
   * @return the whole block, for all threads; after the give-back a segment whose access throws
   *     {@link IllegalStateException}
   */
  @Override
  public MemorySegment segment() {
    if (arena == null) {
      throw VulkanErrors.noHostAccess(this);
    }
    return segment;
  }

  /** Refused: Vulkan's memory is known by its handle and an offset. */
  @Override
  public long address() {
    throw VulkanErrors.noAddress(this);
  }

  @Override
  public void read(long byteOffset, MemorySegment target) {
    Objects.checkFromIndexSize(byteOffset, target.byteSize(), byteSize);
    if (arena == null) {
      copy("read", target, copies -> copies.read(memory.buffer(), byteOffset, target));
      return;
    }
    invalidate(byteOffset, target.byteSize());
    MemorySegment.copy(segment, byteOffset, target, 0, target.byteSize());
  }

  @Override
  public void write(long byteOffset, MemorySegment source) {
    Objects.checkFromIndexSize(byteOffset, source.byteSize(), byteSize);
    if (arena == null) {
      copy("write", source, copies -> copies.write(memory.buffer(), byteOffset, source));
      return;
    }
    MemorySegment.copy(source, 0, segment, byteOffset, source.byteSize());
    flush(byteOffset, source.byteSize());
  }

  private void copy(String what, MemorySegment bytes, Copy copy) {
    CopyQueue copies = storage.copies();
    if (copies == null) {
      throw VulkanErrors.noCopies(this);
    }
    if (memory.buffer() == NULL) {
      throw VulkanErrors.noCopiesOfDedicated(this);
    }
    whileAlive(what, bytes.byteSize(), () -> copy.in(copies));
  }

  /**
   * Makes what the host wrote to the segment visible to the device, which work that is submitted
   * later sees. Nothing is to do where the memory is coherent, or the host does not see it.
   *
   * @param byteOffset where in this block the bytes begin
   * @param size how many bytes; widened to whole {@code nonCoherentAtomSize}s
   * @throws IndexOutOfBoundsException if the bytes do not lie in this block
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this block is given back
   */
  public void flush(long byteOffset, long size) {
    Objects.checkFromIndexSize(byteOffset, size, byteSize);
    inAtoms("flush", byteOffset, size, storage.calls()::flush);
  }

  /**
   * Makes what the device wrote visible to the host, in the segment. Nothing is to do where the
   * memory is coherent, or the host does not see it.
   *
   * @param byteOffset where in this block the bytes begin
   * @param size how many bytes; widened to whole {@code nonCoherentAtomSize}s
   * @throws IndexOutOfBoundsException if the bytes do not lie in this block
   * @throws DeviceMemoryException if the device fails
   * @throws IllegalStateException if this block is given back
   */
  public void invalidate(long byteOffset, long size) {
    Objects.checkFromIndexSize(byteOffset, size, byteSize);
    inAtoms("invalidate", byteOffset, size, storage.calls()::invalidate);
  }

  private void inAtoms(String what, long byteOffset, long size, RangeCall call) {
    if (arena == null || storage.isCoherent() || size == 0) {
      whileAlive(what, size, () -> {});
      return;
    }
    long atom = storage.nonCoherentAtomByteSize();
    long from = byteOffset & -atom;
    long length = (byteOffset + size - from + atom - 1) & -atom;
    // The memory's own end need not be at a whole atom.
    long range = from + length > byteSize ? VK_WHOLE_SIZE : length;
    whileAlive(what, size, () -> call.on(memory.memory(), from, range));
  }

  /** Calls the driver while the memory is there. */
  private void whileAlive(String what, long size, DriverCall call) {
    synchronized (bound) {
      if (!alive) {
        throw VulkanErrors.givenBack(this);
      }
      try {
        call.run();
      } catch (VulkanRefusal e) {
        throw VulkanErrors.refused(storage.properties().name(), what, size, e);
      }
    }
  }

  /**
   * Binds a resource to a place in this block, which ends it when the block goes.
   *
   * @throws IllegalStateException if this block is given back
   */
  void bind(BoundResource resource, long byteOffset) {
    whileAlive(
        "bind",
        resource.requirements().byteSize(),
        () -> {
          resource.bindAt(storage.calls(), memory.memory(), byteOffset);
          bound.add(resource);
        });
  }

  /** Ends a resource; nothing happens if it went with this block. */
  void end(BoundResource resource) {
    synchronized (bound) {
      if (bound.remove(resource)) {
        resource.destroy(storage.calls());
      }
    }
  }

  /**
   * Ends the segments, then what is bound, then the memory: never the other way round.
   *
   * @throws DeviceMemoryException if the memory is in use; this block is as valid as before
   */
  void giveBack() {
    synchronized (bound) {
      closeArena();
      alive = false;
      for (BoundResource resource : List.copyOf(bound)) {
        end(resource);
      }
      memory.end(storage.calls());
    }
  }

  private void closeArena() {
    if (arena != null) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        throw VulkanErrors.inAccess(this, e);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // A storage has identity.
  boolean isOf(VulkanStorage other) {
    return storage == other;
  }

  VulkanStorage storage() {
    return storage;
  }

  boolean isAlive() {
    synchronized (bound) {
      return alive;
    }
  }

  String device() {
    return "device \"" + storage.properties().name() + "\"";
  }

  @Override
  public String toString() {
    return "Vulkan block of " + byteSize + " bytes, memory 0x" + Long.toHexString(memory());
  }

  private interface DriverCall {
    void run() throws VulkanRefusal;
  }

  private interface Copy {
    void in(CopyQueue copies) throws VulkanRefusal;
  }

  private interface RangeCall {
    void on(long memory, long byteOffset, long size) throws VulkanRefusal;
  }
}
