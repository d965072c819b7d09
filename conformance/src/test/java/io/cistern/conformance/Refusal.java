package io.cistern.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.DeviceMemoryException;
import io.cistern.MemorySizeFormatException;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.PoolCapacityException;
import io.cistern.PoolsInUseException;
import io.cistern.SizeNotAcceptedException;
import io.cistern.layout.LayoutException;
import io.cistern.layout.LayoutFault;
import io.cistern.toml.LayoutFileException;
import io.cistern.trace.TraceException;

/**
 * An exception of Cistern in the words of the data: the one table of error names.
 *
 * @param variant the vectors' name, or a name of its own where the reference has no such error
 * @param kind the scenarios' name for the category
 * @param values the values that the exception carries, by the data's names
 * @param message the exception's text
 */
public record Refusal(String variant, String kind, ObjectNode values, String message) {

  private static final String CONFIG = "ConfigError";

  /** The words for an exception; one that stands for no refusal is thrown on. */
  public static Refusal of(RuntimeException exception) {
    return switch (exception) {
      case SizeNotAcceptedException e ->
          of(e, "BufferTooBig", "BufferTooBig", size(e.requestedByteSize()));
      case PoolCapacityException e ->
          of(
              e,
              "PoolCapacityExceeded",
              "PoolCapacityExceeded",
              size(e.requestedByteSize())
                  .put("capacity", e.capacity())
                  .put("in_use", e.inUse())
                  .put("largest_free", e.largestFree())
                  .put("pool", e.pool()));
      case OutOfDeviceMemoryException e ->
          of(e, "OutOfMemory", "DeviceOutOfMemory", size(refusedBlock(e)));
      case PoolsInUseException e ->
          of(
              e,
              "PoolsInUse",
              "PoolsInUse",
              Json.object().put("bytes_in_use", e.inUse()).put("allocations", e.allocations()));
      case DeviceMemoryException e -> ofMapping(e);
      case LayoutException e -> ofLayout(e, e.fault());
      case MemorySizeFormatException e ->
          of(e, "SizeText", CONFIG, Json.object().put("position", e.position()));
      case LayoutFileException e -> of(e, "LayoutFile", CONFIG, Json.object());
      case AboveRange e -> of(e, "AboveRange", CONFIG, Json.object());
      case IllegalArgumentException e -> of(e, "IllegalArgument", "IllegalArgument", Json.object());
      case IllegalStateException e -> of(e, "NotFound", "AlreadyClosed", Json.object());
      default -> throw exception;
    };
  }

  /** A page of a dry run could not be mapped; the reference wraps the driver's error. */
  private static Refusal ofMapping(DeviceMemoryException e) {
    ObjectNode values = size(e.byteSize());
    values.set("source", size(e.byteSize()).put("variant", "OutOfMemory"));
    return of(e, "StorageMappingFailed", "DeviceOutOfMemory", values);
  }

  /** The words for an exception of a handle that is closed already: its close, or its use. */
  public static Refusal ofClosedHandle(RuntimeException exception) {
    return exception instanceof IllegalStateException
        ? of(exception, "NotFound", "AlreadyFreed", Json.object())
        : of(exception);
  }

  /**
   * The words for a trace that can't be read. That readers run nothing that a trace names is a rule
   * of the architecture's tests: they have no means to.
   */
  public static Refusal ofTrace(TraceException exception) {
    return new Refusal(
        "TraceFormat",
        "TraceFormatError",
        Json.object().put("nothing_executed", true),
        String.valueOf(exception.getMessage()));
  }

  /** The words for something that no method of Cistern does. */
  public static Refusal noSuchMethod(String what) {
    return new Refusal("NoSuchMethod", "no such method exists", Json.object(), what);
  }

  private static Refusal ofLayout(LayoutException e, LayoutFault fault) {
    ObjectNode values = Json.object();
    String variant =
        switch (fault) {
          case LayoutFault.EmptyList f -> "EmptyPoolList";
          case LayoutFault.TooManyPools f -> {
            values.put("count", f.count());
            yield "TooManyPools";
          }
          case LayoutFault.ZeroSize f -> {
            values.put("field", f.field());
            yield "ZeroSize";
          }
          case LayoutFault.SliceLargerThanPage f -> {
            values.put("page_size", f.pageByteSize()).put("max_slice_size", f.maxSliceByteSize());
            yield "SliceLargerThanPage";
          }
          case LayoutFault.CapSmallerThanPage f -> {
            values.put("page_size", f.pageByteSize()).put("max_pool_size", f.maxPoolByteSize());
            yield "CapSmallerThanPage";
          }
          case LayoutFault.OutOfRange f -> {
            values.put("field", f.field()).put("value", f.value());
            yield "OutOfRange";
          }
          case LayoutFault.BadAlignment f -> {
            values.put("value", f.value());
            yield "BadAlignment";
          }
          case LayoutFault.SlicedPoolsUnavailable f -> "SlicedPoolsUnavailable";
          case LayoutFault.PresetUnavailable f -> {
            values.put("preset", f.preset().text());
            yield "PresetUnavailable";
          }
        };
    return of(e, variant, CONFIG, values);
  }

  private static Refusal of(
      RuntimeException exception, String variant, String kind, ObjectNode values) {
    return new Refusal(variant, kind, values, String.valueOf(exception.getMessage()));
  }

  private static ObjectNode size(long byteSize) {
    return Json.object().put("size", byteSize);
  }

  /** The reference passes the driver's own error on, so its size is that of the block. */
  private static long refusedBlock(OutOfDeviceMemoryException e) {
    return ((DeviceMemoryException) e.getCause()).byteSize();
  }

  /** As the vectors write an error. */
  public ObjectNode toJson() {
    return Json.object().put("variant", variant).setAll(values);
  }
}
