package io.cistern.vulkan;

import io.cistern.DeviceMemoryException;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Fence;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A driver's object bound to memory, and the owner of that memory: closing it ends the object first
 * and lets go of the memory then, exactly once.
 *
 * <p>Safe for many threads. When the manager is closed first, the object ends with its page, and
 * closing this does nothing more.
 */
public abstract sealed class VulkanResource implements AutoCloseable
    permits VulkanBuffer, VulkanImage {

  private final BoundResource resource;
  private final VulkanBlock block;
  private final long byteOffset;
  private final Owner owner;

  // Guarded by fences.
  private final List<Fence> fences = new ArrayList<>();
  private boolean closed;

  VulkanResource(Binding binding) {
    this.resource = binding.resource();
    this.block = binding.block();
    this.byteOffset = binding.byteOffset();
    this.owner = binding.owner();
  }

  /** What a resource is bound to, and who lets go of it. */
  record Binding(BoundResource resource, VulkanBlock block, long byteOffset, Owner owner) {}

  /** Who has the memory: an allocation, or the resource with a block of its own. */
  sealed interface Owner {

    void usedUntil(Fence fence);

    /** Ends the object, then lets go of the memory. */
    void end();

    /** The same when work on the device has passed the fences. */
    void endAfter(List<Fence> passed);
  }

  /** The memory is a slice; the pool keeps it until the fences have passed. */
  record OwnerOfSlice(
      VulkanStorage storage, Allocation slice, VulkanBlock block, BoundResource resource)
      implements Owner {
    @Override
    public void usedUntil(Fence fence) {
      slice.usedUntil(fence);
    }

    @Override
    public void end() {
      block.end(resource);
      slice.close();
    }

    @Override
    public void endAfter(List<Fence> passed) {
      storage.retire(passed, () -> block.end(resource));
      slice.close();
    }
  }

  /** The memory is a block for the resource alone, which ends what is bound to it. */
  record OwnerOfBlock(VulkanStorage storage, VulkanBlock block) implements Owner {
    @Override
    public void usedUntil(Fence fence) {}

    @Override
    public void end() {
      // The block is gone if the storage was closed first.
      synchronized (storage) {
        if (block.isAlive()) {
          storage.free(block);
        }
      }
    }

    @Override
    public void endAfter(List<Fence> passed) {
      storage.retire(passed, this::end);
    }
  }

  /** The object's handle. */
  final long handle() {
    checkOpen();
    return resource.handle();
  }

  /**
   * The block that it is bound to.
   *
   * @throws IllegalStateException if this is closed
   */
  public final VulkanBlock block() {
    checkOpen();
    return block;
  }

  /**
   * Where in the block its memory begins, in bytes.
   *
   * @throws IllegalStateException if this is closed
   */
  public final long byteOffset() {
    checkOpen();
    return byteOffset;
  }

  /** What it needs of memory; its size says how many bytes of the block it takes. */
  public final VulkanRequirements requirements() {
    return resource.requirements();
  }

  /**
   * Says that work on the device uses this until a fence has passed. If it has not when this is
   * closed, the driver's object and its memory stay until it has; the object ends then with a later
   * call on any resource of the storage, or with its block.
   *
   * @throws IllegalStateException if this is closed
   */
  public final void usedUntil(Fence fence) {
    Objects.requireNonNull(fence, "fence");
    synchronized (fences) {
      checkOpen();
      owner.usedUntil(fence);
      fences.removeIf(Fence::hasPassed);
      fences.add(fence);
    }
  }

  /**
   * Ends the driver's object and lets go of its memory, now or when work on the device is done with
   * it.
   *
   * @throws IllegalStateException if this is closed already
   * @throws DeviceMemoryException if it has a block of its own, which is in use just now; this is
   *     as open as before
   */
  @Override
  public final void close() {
    synchronized (fences) {
      checkOpen();
      fences.removeIf(Fence::hasPassed);
      if (fences.isEmpty()) {
        owner.end();
      } else {
        owner.endAfter(List.copyOf(fences));
      }
      closed = true;
    }
    block.storage().sweep();
  }

  private void checkOpen() {
    synchronized (fences) {
      if (closed) {
        throw VulkanErrors.resourceClosed(resource.toString());
      }
    }
  }

  /** The bytes from an offset in the memory on, for the host. */
  final MemorySegment segment(long byteSize) {
    return block().segment().asSlice(byteOffset, byteSize);
  }

  @Override
  public String toString() {
    return resource + " at " + byteOffset + " of " + block;
  }

  /**
   * Binds a resource to a slice of a manager's. If that fails the resource is as it was.
   *
   * @throws IllegalArgumentException if it can't be bound to the storage's memory, or the manager
   *     is of another storage
   */
  static Binding bindSlice(VulkanStorage storage, MemoryManager manager, BoundResource resource) {
    storage.sweep();
    VulkanRequirements requirements = resource.requirements();
    storage.checkForSlice(requirements);
    Allocation slice = manager.allocate(requirements.byteSize(), requirements.byteAlignment());
    try {
      VulkanBlock block = slice.block(VulkanBlock.class);
      if (!block.isOf(storage)) {
        throw VulkanErrors.otherStorage(storage, block);
      }
      block.bind(resource, slice.byteOffset());
      return new Binding(
          resource, block, slice.byteOffset(), new OwnerOfSlice(storage, slice, block, resource));
    } catch (RuntimeException e) {
      slice.close();
      throw e;
    }
  }

  /**
   * Binds a resource to a block of its own, made for it alone. If that fails the resource is as it
   * was.
   *
   * @throws IllegalArgumentException if it can't be bound to the storage's memory
   * @throws DeviceMemoryException if the device can't give the memory
   */
  static Binding bindBlock(VulkanStorage storage, BoundResource resource) {
    storage.sweep();
    storage.check(resource.requirements());
    VulkanBlock block = storage.allocateDedicated(resource);
    try {
      block.bind(resource, 0);
      return new Binding(resource, block, 0, new OwnerOfBlock(storage, block));
    } catch (RuntimeException e) {
      storage.free(block);
      throw e;
    }
  }
}
