package io.cistern.trace;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The formats of traces. What a file is shows in its content; its name does not matter. */
public enum TraceFormat {
  /** {@code op,id,size,stream,time_us}. */
  CSV("csv", "the common CSV"),

  /** What {@code torch.cuda.memory._snapshot()} gave, pickled. */
  PYTORCH_SNAPSHOT("pytorch-snapshot", "a PyTorch memory snapshot"),

  /** {@code [memory]} events. */
  CHROME_TRACE("chrome-trace", "a PyTorch profiler trace"),

  /** {@code memory_timeline.raw.json}. */
  MEMORY_TIMELINE("memory-timeline", "a PyTorch memory timeline"),

  /** Events of Netty's allocators, or of Cistern's managers. */
  JFR("jfr", "a Flight Recorder recording"),

  /** {@code Thread,Time,Action,Pointer,Size,Stream}. */
  RMM("rmm-csv", "an RMM log"),

  /** {@code id,lower,upper,size}. */
  STATIC("static", "static lifetimes"),

  /** {@code .rep}. */
  MALLOC_LAB("malloc-lab", "a malloc-lab trace"),

  /** Of Android. */
  MEMORY_REPLAY("memory-replay", "an Android memory_replay text"),

  /** Of version 2. */
  VMA_RECORDING("vma-recording", "a VMA recording of calls"),

  /** One moment, without calls. */
  VMA_DUMP("vma-dump", "a VMA dump");

  private final String text;
  private final String title;

  TraceFormat(String text, String title) {
    this.text = text;
    this.title = title;
  }

  /** The name that options and programs use. */
  public String text() {
    return text;
  }

  /** The name for people. */
  public String title() {
    return title;
  }

  /** Whether a recording may tell of several devices, of which one is read. */
  public boolean hasDevices() {
    return this == PYTORCH_SNAPSHOT || this == CHROME_TRACE || this == JFR;
  }

  /** The format with a name. */
  public static Optional<TraceFormat> named(String name) {
    return Arrays.stream(values()).filter(format -> format.text.equals(name)).findFirst();
  }

  /** All names, in a list for people. */
  public static String names() {
    return Arrays.stream(values()).map(TraceFormat::text).collect(Collectors.joining(", "));
  }
}
