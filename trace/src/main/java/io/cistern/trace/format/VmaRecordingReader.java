package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording of calls of the Vulkan Memory Allocator 2, as its {@code VmaReplay} did.
 *
 * <p>The bytes of a buffer or of plain memory are in the recording; those of an image, which depend
 * on the driver, are not, and such calls are left out and counted.
 *
 * <p>Source: {@code VmaRecorder} in {@code vk_mem_alloc.h} 2.3.
 */
final class VmaRecordingReader extends LineTraceReader {

  private static final String TITLE = "Vulkan Memory Allocator,Calls recording";

  private static final Pattern POINTER = Pattern.compile("(0x)?[0-9A-Fa-f]{1,16}");
  private static final Pattern TIME = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,3})?");

  // Of a call: thread, time in seconds, frame, function, then its values.
  private static final int FUNCTION = 3;
  private static final int VALUES = 4;

  // Live images, by their pointers as they are written.
  private final Set<String> images = new HashSet<>();
  private boolean inConfiguration;
  private boolean versionSeen;

  VmaRecordingReader(TraceInput input) throws IOException {
    super(TraceFormat.VMA_RECORDING, input);
    if (!firstLine("title " + TITLE).equals(TITLE)) {
      throw error("a VMA recording begins with \"" + TITLE + "\"");
    }
  }

  /** Whether a first line is the title of such a recording. */
  static boolean matches(String line) {
    return line.strip().equals(TITLE);
  }

  @Override
  @Nullable String take(String text) throws TraceException {
    String[] fields = text.split(",", -1);
    if (!versionSeen) {
      versionSeen = true;
      return fields.length == 2 && fields[0].equals("1")
          ? null
          : "the format's version is " + Texts.shown(text) + "; 1,0 to 1,8 can be read";
    }
    if (text.startsWith("Config,")) {
      inConfiguration = text.equals("Config,Begin");
      return null;
    }
    return inConfiguration ? null : call(fields);
  }

  private @Nullable String call(String[] fields) throws TraceException {
    if (fields.length <= FUNCTION
        || Numbers.count(fields[0]) < 0
        || !TIME.matcher(fields[1]).matches()) {
      return "a call has its thread, its time in seconds, its frame and its function";
    }
    String function = fields[FUNCTION];
    return switch (function) {
      case "vmaCreateBuffer" -> allocation(fields, 1, 10);
      case "vmaAllocateMemory", "vmaAllocateMemoryPages" -> allocation(fields, 0, 9);
      case "vmaAllocateMemoryForBuffer", "vmaAllocateMemoryForImage" -> allocation(fields, 0, 11);
      case "vmaCreateImage" -> {
        images.add(field(fields, 19));
        facts.add(TraceFacts.Count.LEFT_OUT, 1);
        yield null;
      }
      case "vmaDestroyBuffer", "vmaDestroyImage", "vmaFreeMemory", "vmaFreeMemoryPages" ->
          frees(fields);
      default -> null;
    };
  }

  private static String field(String[] fields, int value) {
    return VALUES + value < fields.length ? fields[VALUES + value].strip() : "";
  }

  private static long timeMicros(String[] fields) {
    return Math.round(Double.parseDouble(fields[1]) * 1e6);
  }

  /** Pages have one size, and their pointers stand in one field. */
  private @Nullable String allocation(String[] fields, int sizeValue, int pointerValue)
      throws TraceException {
    facts.add(TraceFacts.Count.EVENTS, 1);
    facts.addThread(Numbers.count(fields[0]));
    long byteSize = Numbers.count(field(fields, sizeValue));
    List<String> pointers = List.of(field(fields, pointerValue).split(" ", -1));
    if (byteSize < 0 || !arePointers(pointers)) {
      return fields[FUNCTION] + " has no size or no pointer where they belong";
    }
    for (String text : pointers) {
      long pointer = pointer(text);
      if (pointer == 0) {
        refused(byteSize, 0);
      } else {
        allocated(pointer, byteSize, 0, Numbers.count(fields[0]), timeMicros(fields));
      }
    }
    return null;
  }

  private @Nullable String frees(String[] fields) throws TraceException {
    List<String> pointers = List.of(field(fields, 0).split(" ", -1));
    if (!arePointers(pointers)) {
      return fields[FUNCTION] + " has no pointer where it belongs";
    }
    @Nullable String fault = null;
    for (String text : pointers) {
      if (images.remove(text) || pointer(text) == 0) {
        continue;
      }
      facts.add(TraceFacts.Count.EVENTS, 1);
      @Nullable String why =
          freed(
              pointer(text), OptionalLong.empty(), 0, Numbers.count(fields[0]), timeMicros(fields));
      fault = fault == null ? why : fault;
    }
    return fault;
  }

  private static boolean arePointers(List<String> texts) {
    return texts.stream().allMatch(text -> POINTER.matcher(text).matches());
  }

  /** Written by {@code %p}: with or without 0x, always hexadecimal. */
  private static long pointer(String text) {
    return Numbers.address(text.startsWith("0x") ? text : "0x" + text);
  }
}
