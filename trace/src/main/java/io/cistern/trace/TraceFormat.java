package io.cistern.trace;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The formats of traces. What a file is shows in its content; its name does not matter. */
public enum TraceFormat {
  /** {@code op,id,size,stream,time_us}. */
  CSV("csv", "the common CSV", input -> new CsvTraceReader(input.in(), input.faults())),

  /** What {@code torch.cuda.memory._snapshot()} gave, pickled. */
  PYTORCH_SNAPSHOT("pytorch-snapshot", "a PyTorch memory snapshot", PyTorchSnapshot::read),

  /** {@code [memory]} events. */
  CHROME_TRACE("chrome-trace", "a PyTorch profiler trace", ChromeTrace::read),

  /** {@code memory_timeline.raw.json}. */
  MEMORY_TIMELINE("memory-timeline", "a PyTorch memory timeline", MemoryTimeline::read),

  /** {@code Thread,Time,Action,Pointer,Size,Stream}. */
  RMM("rmm-csv", "an RMM log", RmmLogReader::new),

  /** {@code id,lower,upper,size}. */
  STATIC("static", "static lifetimes", StaticLifetimes::read),

  /** {@code .rep}. */
  MALLOC_LAB("malloc-lab", "a malloc-lab trace", MallocLabReader::new),

  /** Of Android. */
  MEMORY_REPLAY("memory-replay", "an Android memory_replay text", MemoryReplayReader::new),

  /** Of version 2. */
  VMA_RECORDING("vma-recording", "a VMA recording of calls", VmaRecordingReader::new),

  /** One moment, without calls. */
  VMA_DUMP("vma-dump", "a VMA dump", TraceFormat::refuseDump);

  /** Opens a reader. */
  private interface Opening {
    TraceReader open(TraceInput input) throws IOException;
  }

  private final String text;
  private final String title;

  @SuppressWarnings("ImmutableEnumChecker") // Openings are functions without state.
  private final Opening opening;

  TraceFormat(String text, String title, Opening opening) {
    this.text = text;
    this.title = title;
    this.opening = opening;
  }

  /** The name that options and programs use. */
  public String text() {
    return text;
  }

  /** The name for people. */
  public String title() {
    return title;
  }

  private static TraceReader refuseDump(TraceInput input) throws IOException {
    throw input
        .faults()
        .error(
            1,
            "a VMA dump is a picture of one moment, without calls to replay; \"cistern trace info\""
                + " shows it");
  }

  private boolean hasDevices() {
    return this == PYTORCH_SNAPSHOT || this == CHROME_TRACE;
  }

  TraceReader open(TraceInput input) throws IOException {
    if (input.options().device().isPresent() && !hasDevices()) {
      throw input.faults().error(1, title + " has no devices to choose from");
    }
    return opening.open(input);
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
