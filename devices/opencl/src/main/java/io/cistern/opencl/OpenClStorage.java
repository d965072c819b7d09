package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_CONTEXT_PLATFORM;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.clReleaseContext;
import static org.lwjgl.opencl.CL10.clRetainContext;
import static org.lwjgl.opencl.CL10.nclCreateContext;
import static org.lwjgl.system.MemoryUtil.memAddress;

import io.cistern.storage.DeviceProperties;
import io.cistern.storage.DriverStorage;
import io.cistern.storage.StorageOptions;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;

/**
 * The memory of an OpenCL device, version 1.2 or newer.
 *
 * <p>A block is a buffer ({@code cl_mem}) or shared virtual memory, and is there when it is given:
 * drivers that would wait for its first use are told not to. {@link OpenClSlice} makes an
 * allocation a sub-buffer for kernels.
 *
 * <p>The setting {@code memory} says what blocks are made of: {@code buffer} (without it), {@code
 * svm-coarse} or {@code svm-fine}, as far as the device has them.
 *
 * <p>Safe for many threads. The JVM needs {@code
 * --enable-native-access=io.cistern.ffi,io.cistern.opencl,org.lwjgl}, or {@code ALL-UNNAMED} on the
 * class path.
 */
public final class OpenClStorage extends DriverStorage<OpenClBlock> {

  private final OpenClMemory memory;
  private final OpenClDevice device;
  private final long context;
  private final OpenClQueue copies;
  private boolean ended;

  private OpenClStorage(
      OpenClDevice device,
      DeviceProperties properties,
      OpenClMemory memory,
      long context,
      OpenClQueue copies) {
    super(properties, OpenClBlock.class, device.maxBlockByteSize(), UNLIMITED);
    this.device = device;
    this.memory = memory;
    this.context = context;
    this.copies = copies;
  }

  /**
   * Opens a device in a context of its own.
   *
   * @param options the index among the devices of all platforms; an alignment of slices that is a
   *     power of two from the device's own on; a capacity up to the device's memory, larger ones
   *     having no effect; a hint for presets (without: a quarter of the capacity, at most the
   *     largest block)
   * @throws IllegalArgumentException if there is no such device, or it can't be had with these
   *     options
   * @throws IllegalStateException if the driver fails
   */
  public static OpenClStorage open(StorageOptions options) {
    OpenClDevices found = OpenClDevices.find();
    List<OpenClDevice> devices = found.devices();
    if (options.index() < 0 || options.index() >= devices.size()) {
      throw OpenClErrors.noDevice(options.index(), devices.size(), found.whyNone());
    }
    OpenClDevice device = devices.get(options.index());
    OpenClMemory memory = memory(options);
    DeviceProperties properties = device.properties(options, memory);
    return open(device, properties, memory, newContext(device.handle()));
  }

  /**
   * Opens a device in a context that is there already, so that its kernels can use the memory. The
   * context is retained until this storage is closed.
   *
   * @param context a {@code cl_context}
   * @param device a {@code cl_device_id} of that context
   * @param options as for {@link #open(StorageOptions)}; the index has no meaning
   * @throws IllegalArgumentException if the device can't be had with these options
   * @throws IllegalStateException if the driver fails
   */
  public static OpenClStorage open(long context, long device, StorageOptions options) {
    OpenClMemory memory = memory(options);
    OpenClDevice described = OpenClDevice.of(device);
    DeviceProperties properties = described.properties(options, memory);
    check("clRetainContext", clRetainContext(context));
    return open(described, properties, memory, context);
  }

  /** Takes over one reference of the context. */
  private static OpenClStorage open(
      OpenClDevice device, DeviceProperties properties, OpenClMemory memory, long context) {
    try {
      OpenClQueue copies = OpenClQueue.open(context, device.handle());
      return new OpenClStorage(device, properties, memory, context, copies);
    } catch (RuntimeException e) {
      clReleaseContext(context);
      throw e;
    }
  }

  private static OpenClMemory memory(StorageOptions options) {
    options.checkSettings(OpenClStorageProvider.NAME, "memory");
    return OpenClMemory.of(options.setting("memory", OpenClMemory.settings()));
  }

  private static long newContext(long device) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      var code = stack.callocInt(1);
      PointerBuffer one = stack.pointers(device);
      PointerBuffer properties =
          stack.pointers(CL_CONTEXT_PLATFORM, OpenClDevice.platform(device), 0);
      long context =
          nclCreateContext(memAddress(properties), 1, memAddress(one), 0, 0, memAddress(code));
      check("clCreateContext", code.get(0));
      return context;
    }
  }

  private static void check(String call, int code) {
    if (code != CL_SUCCESS) {
      throw OpenClErrors.failed(call, code);
    }
  }

  @Override
  protected OpenClBlock make(long byteSize) {
    return memory.isShared() ? SharedBlock.make(this, byteSize) : BufferBlock.make(this, byteSize);
  }

  @Override
  protected void giveBack(OpenClBlock block) {
    block.giveBack();
  }

  /** The context takes along what could not be given back. */
  @Override
  protected boolean end() {
    if (!ended) {
      ended = true;
      copies.close();
      clReleaseContext(context);
    }
    return true;
  }

  /** The {@code cl_context} that the memory belongs to. */
  public long context() {
    return context;
  }

  /** The {@code cl_device_id}. */
  public long device() {
    return device.handle();
  }

  /** What the device can do, its own and not what was asked for. */
  OpenClDevice described() {
    return device;
  }

  OpenClMemory memory() {
    return memory;
  }

  /** Where {@code read} and {@code write} of blocks run. */
  OpenClQueue copies() {
    return copies;
  }
}
