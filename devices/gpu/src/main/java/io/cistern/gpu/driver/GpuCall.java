package io.cistern.gpu.driver;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/**
 * A function of a GPU's driver, by what it does, and its C types, which CUDA and HIP have in
 * common.
 *
 * <p>Types are one letter an argument: {@code p} for what has 64 bits (a pointer, a handle, a
 * size), {@code i} for an {@code int}, {@code b} for an {@code unsigned char}.
 */
public enum GpuCall {
  /** Begins: flags. */
  INIT("i"),
  /** The driver's version: where it goes. */
  DRIVER_VERSION("p"),
  /** A code's name: the code, where the name's address goes. */
  ERROR_NAME("ip"),
  /** A code's name, returned as an address: the code. */
  ERROR_NAME_RETURNED("i", true),
  /** How many devices there are: where it goes. */
  DEVICE_COUNT("p"),
  /** A device's handle: where it goes, index. */
  DEVICE("pi"),
  /** A device's name: where it goes, room, device. */
  DEVICE_NAME("pii"),
  /** A device's memory: where it goes, device. */
  DEVICE_MEMORY("pi"),
  /** A property of a device: where it goes, which, device. */
  DEVICE_ATTRIBUTE("pii"),
  /** Retains a device's primary context: where it goes, device. */
  CONTEXT_RETAIN("pi"),
  /** Releases a device's primary context: device. */
  CONTEXT_RELEASE("i"),
  /** Makes a context current to the thread: context. */
  CONTEXT_PUSH("p"),
  /** Makes current what was before: where the context goes. */
  CONTEXT_POP("p"),
  /** The device that is current to the thread: where it goes. */
  DEVICE_CURRENT("p"),
  /** Makes a device current to the thread: device. */
  DEVICE_SELECT("i"),
  /** How much memory is free: where free and total go. */
  MEMORY_INFO("pp"),
  /** Device memory: where the address goes, size. */
  ALLOCATE("pp"),
  /** Ends device and managed memory: address. */
  FREE("p"),
  /** Pinned host memory: where the address goes, size, flags. */
  ALLOCATE_HOST("ppi"),
  /** Ends pinned host memory: address. */
  FREE_HOST("p"),
  /** Managed memory: where the address goes, size, flags. */
  ALLOCATE_MANAGED("ppi"),
  /** A pool of the driver's: where it goes, properties. */
  POOL_CREATE("pp"),
  /** Sets an attribute of a pool: pool, which, where the value is. */
  POOL_SET("pip"),
  /** Ends a pool: pool. */
  POOL_DESTROY("p"),
  /** Stream-ordered memory: where the address goes, size, pool, stream. */
  ALLOCATE_FROM_POOL("pppp"),
  /** Ends stream-ordered memory: address, stream. */
  FREE_TO_POOL("pp"),
  /** Copies from the host: to, from, size, stream. */
  COPY_TO_DEVICE("pppp"),
  /** Copies to the host: to, from, size, stream. */
  COPY_TO_HOST("pppp"),
  /** Copies within the device: to, from, size, stream. */
  COPY("pppp"),
  /** Sets bytes: to, value, size, stream. */
  FILL("pbpp"),
  /** A stream: where it goes, flags. */
  STREAM_CREATE("pi"),
  /** Ends a stream: stream. */
  STREAM_DESTROY("p"),
  /** Waits for a stream: stream. */
  STREAM_SYNCHRONIZE("p"),
  /** An event: where it goes, flags. */
  EVENT_CREATE("pi"),
  /** Puts an event behind a stream's work: event, stream. */
  EVENT_RECORD("pp"),
  /** Whether an event has passed: event. */
  EVENT_QUERY("p"),
  /** Ends an event: event. */
  EVENT_DESTROY("p"),
  /** Begins to record a stream: stream, mode. */
  CAPTURE_BEGIN("pi"),
  /** Ends recording: stream, where the graph goes. */
  CAPTURE_END("pp"),
  /** Makes a graph ready to run: where that goes, graph, flags. */
  GRAPH_INSTANTIATE("ppp"),
  /** Runs a graph: what is ready to run, stream. */
  GRAPH_LAUNCH("pp"),
  /** Ends what is ready to run: that. */
  GRAPH_EXEC_DESTROY("p"),
  /** Ends a graph: graph. */
  GRAPH_DESTROY("p");

  private final String arguments;
  private final boolean returnsAddress;

  GpuCall(String arguments) {
    this(arguments, false);
  }

  GpuCall(String arguments, boolean returnsAddress) {
    this.arguments = arguments;
    this.returnsAddress = returnsAddress;
  }

  /** The function's C types; the result is a code, but for an address. */
  FunctionDescriptor type() {
    return FunctionDescriptor.of(
        returnsAddress ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT,
        arguments.chars().mapToObj(letter -> layout((char) letter)).toArray(MemoryLayout[]::new));
  }

  /** Addresses are numbers: segments of shared arenas make downcalls slow with many threads. */
  private static MemoryLayout layout(char letter) {
    return switch (letter) {
      case 'p' -> ValueLayout.JAVA_LONG;
      case 'i' -> ValueLayout.JAVA_INT;
      case 'b' -> ValueLayout.JAVA_BYTE;
      default -> throw new AssertionError("no type is called " + letter);
    };
  }
}
