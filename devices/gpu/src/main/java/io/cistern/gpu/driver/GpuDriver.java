package io.cistern.gpu.driver;

import io.cistern.ffi.ErrorCode;
import io.cistern.ffi.NativeLibrary;
import io.cistern.ffi.NativeLookupException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A driver's library with its functions, each looked up once.
 *
 * <p>Immutable; safe for many threads.
 */
public final class GpuDriver {

  /** A driver stays loaded until the JVM ends, so each library is looked through once. */
  private static final Map<String, GpuDriver> LOADED = new ConcurrentHashMap<>();

  /** What older drivers lack, which costs only what needs it. */
  private static final Set<GpuCall> OPTIONAL =
      EnumSet.of(
          GpuCall.ERROR_NAME,
          GpuCall.ERROR_NAME_RETURNED,
          GpuCall.ALLOCATE_HOST,
          GpuCall.FREE_HOST,
          GpuCall.ALLOCATE_MANAGED);

  static {
    OPTIONAL.addAll(EnumSet.range(GpuCall.POOL_CREATE, GpuCall.FREE_TO_POOL));
    OPTIONAL.addAll(EnumSet.range(GpuCall.CAPTURE_BEGIN, GpuCall.GRAPH_DESTROY));
  }

  private static final long MOST_NAME_BYTES = 256;

  private final GpuDialect dialect;
  private final String library;

  // Each takes long[] and returns long, whatever its C types.
  private final Map<GpuCall, MethodHandle> functions = new EnumMap<>(GpuCall.class);

  private GpuDriver(GpuDialect dialect, NativeLibrary library) {
    this.dialect = dialect;
    this.library = library.name();
    dialect
        .symbols()
        .forEach(
            (call, symbol) ->
                library
                    .find(symbol, call.type())
                    .ifPresent(function -> functions.put(call, widened(function))));
  }

  private static MethodHandle widened(MethodHandle function) {
    int count = function.type().parameterCount();
    MethodType longs = MethodType.methodType(long.class, Collections.nCopies(count, long.class));
    return MethodHandles.explicitCastArguments(function, longs).asSpreader(long[].class, count);
  }

  /**
   * A driver, loaded now or before.
   *
   * @throws NativeLookupException if there is no such library here; names those that were tried
   */
  public static GpuDriver load(GpuDialect dialect) {
    String named = System.getProperty(dialect.libraryProperty());
    List<String> names = named == null ? dialect.libraries() : List.of(named);
    @Nullable NativeLookupException absent = null;
    for (String name : names) {
      try {
        return LOADED.computeIfAbsent(
            dialect.kind() + ' ' + name, _ -> new GpuDriver(dialect, NativeLibrary.open(name)));
      } catch (NativeLookupException e) {
        absent = absent == null ? e : absent;
      }
    }
    throw absent == null ? new IllegalStateException("a dialect names a library") : absent;
  }

  /** What this driver's names and numbers are. */
  public GpuDialect dialect() {
    return dialect;
  }

  /** The name that the library was loaded by. */
  public String library() {
    return library;
  }

  /** Whether the driver has a function. */
  public boolean has(GpuCall call) {
    return functions.containsKey(call);
  }

  /** The exported name of a function without which nothing works and that the library lacks. */
  public Optional<String> missing() {
    return dialect.symbols().keySet().stream()
        .filter(call -> !OPTIONAL.contains(call) && !has(call))
        .sorted()
        .map(this::symbol)
        .findFirst();
  }

  /** The exported name of a function, whether the driver has it or not. */
  public String symbol(GpuCall call) {
    return dialect.symbols().getOrDefault(call, call.toString());
  }

  /**
   * Calls a function that this driver has.
   *
   * @param arguments in the order of the C function; those of fewer bits are cut
   * @return the driver's code
   */
  public int call(GpuCall call, long... arguments) {
    return (int) invoke(call, arguments);
  }

  private long invoke(GpuCall call, long... arguments) {
    MethodHandle function = functions.get(call);
    if (function == null) {
      throw new IllegalStateException(library + " has no function " + symbol(call));
    }
    try {
      return (long) function.invokeExact(arguments);
    } catch (Throwable e) {
      throw new IllegalStateException(symbol(call) + " can't be called", e);
    }
  }

  /** A call and what it gave, such as {@code cuMemAlloc_v2 gives CUDA_ERROR_OUT_OF_MEMORY (2)}. */
  public String describe(GpuCall call, int code) {
    return symbol(call) + " gives " + new ErrorCode(name(code), code);
  }

  private String name(int code) {
    long address = 0;
    if (has(GpuCall.ERROR_NAME_RETURNED)) {
      address = invoke(GpuCall.ERROR_NAME_RETURNED, code);
    } else if (has(GpuCall.ERROR_NAME)) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
        if (call(GpuCall.ERROR_NAME, code, out.address()) == GpuCodes.SUCCESS) {
          address = out.get(ValueLayout.JAVA_LONG, 0);
        }
      }
    }
    return address == 0 ? "a code without a name" : text(address);
  }

  @SuppressWarnings("restricted") // The driver's own constant text, which ends with a zero.
  private static String text(long address) {
    return MemorySegment.ofAddress(address).reinterpret(MOST_NAME_BYTES).getString(0);
  }

  /** The driver's version, or that it does not say. */
  public String version() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
      int code = call(GpuCall.DRIVER_VERSION, out.address());
      String version =
          code == GpuCodes.SUCCESS
              ? dialect.version().apply(out.get(ValueLayout.JAVA_INT, 0))
              : "of unknown version";
      return dialect.title() + " " + version;
    }
  }
}
