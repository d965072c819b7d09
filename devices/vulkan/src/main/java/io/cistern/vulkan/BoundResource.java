package io.cistern.vulkan;

/**
 * A driver's object that takes a slice's bytes: a buffer or an image. Has identity.
 *
 * <p>Not bound to a block yet, or bound to one that ends it.
 */
final class BoundResource {

  /** What the driver's object is. */
  enum Kind {
    BUFFER,
    IMAGE
  }

  private final Kind kind;
  private final long handle;
  private final VulkanRequirements requirements;

  private BoundResource(Kind kind, long handle, VulkanRequirements requirements) {
    this.kind = kind;
    this.handle = handle;
    this.requirements = requirements;
  }

  static BoundResource buffer(VulkanCalls calls, long handle) {
    return new BoundResource(Kind.BUFFER, handle, calls.bufferRequirements(handle));
  }

  static BoundResource image(VulkanCalls calls, long handle) {
    return new BoundResource(Kind.IMAGE, handle, calls.imageRequirements(handle));
  }

  long handle() {
    return handle;
  }

  VulkanRequirements requirements() {
    return requirements;
  }

  VulkanCalls.Dedication dedication() {
    return kind == Kind.BUFFER
        ? new VulkanCalls.Dedication(handle, 0)
        : new VulkanCalls.Dedication(0, handle);
  }

  void bindAt(VulkanCalls calls, long memory, long byteOffset) throws VulkanRefusal {
    if (kind == Kind.BUFFER) {
      calls.bindBuffer(handle, memory, byteOffset);
    } else {
      calls.bindImage(handle, memory, byteOffset);
    }
  }

  void destroy(VulkanCalls calls) {
    if (kind == Kind.BUFFER) {
      calls.destroyBuffer(handle);
    } else {
      calls.destroyImage(handle);
    }
  }

  @Override
  public String toString() {
    String name = kind == Kind.BUFFER ? "buffer" : "image";
    return "Vulkan " + name + " 0x" + Long.toHexString(handle);
  }
}
