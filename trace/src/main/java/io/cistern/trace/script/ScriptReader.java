package io.cistern.trace.script;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.layout.LayoutException;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.input.LineReader;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads scripts. */
final class ScriptReader {

  private static final MemorySize DEFAULT_CAPACITY = MemorySize.ofGiB(1);
  private static final Duration DEFAULT_WAIT = Duration.ofSeconds(10);

  /** How a step is read. */
  private interface StepReader {
    ScriptStep read(ScriptLine line) throws TraceException;
  }

  private final Map<String, StepReader> steps = new LinkedHashMap<>();
  private final String file;

  private DeviceProperties device = device(DEFAULT_CAPACITY.bytes(), 256, 256, 0);
  private ScriptHead.Managers managers = ScriptHead.Managers.SHARED;
  private PersistentMemory persistent = PersistentMemory.ENABLED;
  private Duration maxWait = DEFAULT_WAIT;
  private @Nullable MemoryPoolsConfig pools;
  private long layoutLine;

  ScriptReader(String file) {
    this.file = file;
    steps.put("allocate", ScriptReader::allocate);
    steps.put("retain", line -> new ScriptStep.Retain(newName(line), handle(line)));
    steps.put("close", line -> new ScriptStep.Close(handle(line)));
    steps.put("use", line -> new ScriptStep.Use(handle(line), line.word("a fence")));
    steps.put("pass", line -> new ScriptStep.Pass(line.word("a fence")));
    steps.put("resolve", line -> new ScriptStep.Resolve(handle(line)));
    steps.put("window", line -> new ScriptStep.Window(newName(line), line.stream()));
    steps.put("dry_run", line -> new ScriptStep.DryRun(newName(line), line.stream()));
    steps.put("capture", line -> new ScriptStep.Capture(newName(line), line.stream()));
    steps.put("primed", line -> new ScriptStep.Primed(line.word("a capture")));
    steps.put("pin", line -> new ScriptStep.Pin(newName(line), line.word("a capture")));
    steps.put("end", line -> new ScriptStep.End(line.word("a window, a dry run or a pin")));
    steps.put("trim", _ -> new ScriptStep.Trim());
    steps.put("close_stream", line -> new ScriptStep.CloseStream(line.number("a stream")));
    steps.put("driver", ScriptReader::driver);
    steps.put("expect", ScriptReader::expect);
  }

  private static String newName(ScriptLine line) throws TraceException {
    return line.word("a new name");
  }

  private static String handle(ScriptLine line) throws TraceException {
    return line.word("a handle");
  }

  private static ScriptStep allocate(ScriptLine line) throws TraceException {
    String name = newName(line);
    long byteSize = line.size("a size");
    long alignment = line.size("align", 1);
    return new ScriptStep.Allocate(name, byteSize, alignment, line.text("tag", ""), line.stream());
  }

  private static ScriptStep driver(ScriptLine line) throws TraceException {
    if (line.next("works")) {
      return new ScriptStep.Driver(false, false);
    }
    boolean blocks = line.next("refuses_blocks");
    boolean frees = line.next("refuses_frees");
    if (!blocks && !frees) {
      throw line.wrong("driver needs works, refuses_blocks or refuses_frees");
    }
    return new ScriptStep.Driver(blocks, frees);
  }

  private static ScriptStep expect(ScriptLine line) throws TraceException {
    Map<ScriptStep.Total, Long> values = line.sizes(ScriptStep.Total.class);
    if (values.isEmpty()) {
      throw line.wrong("expect needs a total, such as in_use=4096");
    }
    return new ScriptStep.Expect(values);
  }

  Script read(InputStream in) throws IOException {
    List<Script.Numbered> read = new ArrayList<>();
    try (LineReader lines = new LineReader(in, TraceFaults.of(file, false))) {
      while (lines.next()) {
        if (lines.line() == 1) {
          lines.skipByteOrderMark();
        }
        String whyNot = lines.whyNoText();
        if (whyNot != null) {
          throw new TraceException(file, lines.line(), whyNot);
        }
        String text = lines.text().strip();
        if (!text.isEmpty() && !text.startsWith("#")) {
          line(lines.line(), text, read);
        }
      }
    }
    return new Script(file, head(), List.copyOf(read));
  }

  private ScriptHead head() throws TraceException {
    MemoryPoolsConfig wanted = pools == null ? MemoryPoolsConfig.subSlices() : pools;
    check(wanted, layoutLine);
    return new ScriptHead(device, managers, persistent, maxWait, wanted);
  }

  private void check(MemoryPoolsConfig wanted, long line) throws TraceException {
    try {
      PoolLayout.resolve(wanted, device);
    } catch (LayoutException e) {
      throw new TraceException(file, line, String.valueOf(e.getMessage()));
    }
  }

  private void line(long number, String text, List<Script.Numbered> read) throws TraceException {
    String command = text.split("\\s+", 2)[0];
    if (command.equals("install") || command.equals("layout")) {
      MemoryPoolsConfig layout = layout(number, text.substring(command.length()));
      if (command.equals("layout")) {
        checkHead(number, command, read);
        pools = layout;
        layoutLine = number;
      } else {
        check(layout, number);
        read.add(new Script.Numbered(number, text, new ScriptStep.Install(layout)));
      }
      return;
    }
    ScriptLine line = new ScriptLine(file, number, text);
    StepReader step = steps.get(command);
    if (step != null) {
      read.add(new Script.Numbered(number, text, step.read(line)));
    } else if (command.equals("device")) {
      checkHead(number, command, read);
      readDevice(line);
    } else if (command.equals("manager")) {
      checkHead(number, command, read);
      readManager(line);
    } else {
      throw line.wrong(
          "there is no \""
              + command
              + "\"; there are device, manager, layout, install, "
              + String.join(", ", steps.keySet()));
    }
    line.end();
  }

  private void checkHead(long line, String command, List<Script.Numbered> read)
      throws TraceException {
    if (!read.isEmpty()) {
      throw new TraceException(file, line, command + " stands before the first step");
    }
  }

  private void readDevice(ScriptLine line) throws TraceException {
    long capacity = line.size("capacity", DEFAULT_CAPACITY.bytes());
    long alignment = line.size("alignment", 256);
    long blockAlignment = line.size("block_alignment", Math.max(alignment, 256));
    long maxPage = line.size("max_page_size", 0);
    try {
      device = device(capacity, alignment, blockAlignment, maxPage);
      PoolLayout.resolve(MemoryPoolsConfig.of(MemoryPoolConfig.direct()), device);
    } catch (IllegalArgumentException e) {
      throw line.wrong(String.valueOf(e.getMessage()));
    }
  }

  private static DeviceProperties device(
      long capacity, long alignment, long blockAlignment, long maxPage) {
    return new DeviceProperties(
        "simulated device",
        MemorySize.of(capacity),
        MemorySize.of(maxPage == 0 ? Math.max(1, capacity / 4) : maxPage),
        alignment,
        blockAlignment,
        Set.of(Feature.ADDRESS));
  }

  private void readManager(ScriptLine line) throws TraceException {
    Map<String, ScriptHead.Managers> kinds = new LinkedHashMap<>();
    kinds.put("shared", ScriptHead.Managers.SHARED);
    kinds.put("confined", ScriptHead.Managers.CONFINED);
    kinds.put("streams", ScriptHead.Managers.STREAMS);
    managers = kinds.getOrDefault(line.oneOf(kinds.keySet()), managers);
    persistent = line.constant("persistent", persistent);
    String wait = line.text("max_wait", maxWait.toSeconds() + "s");
    if (!wait.matches("\\d{1,9}s")) {
      throw line.wrong("max_wait is whole seconds such as 10s, not \"" + wait + "\"");
    }
    maxWait = Duration.ofSeconds(Long.parseLong(wait.substring(0, wait.length() - 1)));
  }

  private MemoryPoolsConfig layout(long number, String text) throws TraceException {
    String wanted = text.strip();
    for (MemoryPoolsConfig.Preset preset : MemoryPoolsConfig.Preset.values()) {
      if (preset.toString().equals(wanted)) {
        return preset;
      }
    }
    List<MemoryPoolConfig> entries = new ArrayList<>();
    for (String entry : wanted.split("\\|", -1)) {
      ScriptLine line = new ScriptLine(file, number, entry);
      entries.add(pool(line));
      line.end();
    }
    return new MemoryPoolsConfig.Explicit(entries);
  }

  private static MemoryPoolConfig pool(ScriptLine line) throws TraceException {
    return switch (line.command()) {
      case "sliced" -> {
        MemorySize page = line.sizeOrNull("page_size");
        if (page == null) {
          throw line.wrong("a sliced pool needs page_size=SIZE");
        }
        yield new MemoryPoolConfig.Sliced(
            page,
            Optional.ofNullable(line.sizeOrNull("max_slice_size")),
            Optional.ofNullable(line.sizeOrNull("max_pool_size")),
            period(line));
      }
      case "exclusive" -> {
        MemorySize largest = line.sizeOrNull("max_alloc_size");
        if (largest == null) {
          throw line.wrong("an exclusive pool needs max_alloc_size=SIZE");
        }
        yield new MemoryPoolConfig.Exclusive(largest, period(line));
      }
      case "direct" ->
          new MemoryPoolConfig.Direct(Optional.ofNullable(line.sizeOrNull("reclaim_at")));
      default -> {
        String presets =
            List.of(MemoryPoolsConfig.Preset.values()).stream()
                .map(MemoryPoolsConfig.Preset::toString)
                .collect(Collectors.joining(", "));
        throw line.wrong(
            "a layout is "
                + presets
                + ", or pools with | between them, each sliced, exclusive or"
                + " direct; not \""
                + line.command()
                + "\"");
      }
    };
  }

  private static OptionalLong period(ScriptLine line) throws TraceException {
    long period = line.number("dealloc_period", -1);
    return period < 0 ? OptionalLong.empty() : OptionalLong.of(period);
  }
}
