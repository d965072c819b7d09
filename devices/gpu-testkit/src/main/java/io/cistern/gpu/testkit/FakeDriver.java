package io.cistern.gpu.testkit;

import io.cistern.MemorySize;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A driver without a device, built from {@code fake-gpu-driver.c} with the system's {@code cc}; see
 * there for what it does. One for each kind and set of flags in a JVM.
 *
 * <p>What it notes is told in CUDA's names, so that tests of CUDA and HIP expect the same.
 */
public final class FakeDriver {

  /** Whose functions a fake driver has. */
  public enum Kind {
    /** CUDA's. */
    CUDA,
    /** HIP's. */
    HIP;

    /** The kind of device. */
    public String device() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The system property that names the library. */
    public String property() {
      return "cistern." + device() + ".library";
    }
  }

  private static final String SOURCE = "fake-gpu-driver.c";
  private static final Pattern NAMES = Pattern.compile("NAME\\((cu\\w+), (hip\\w+)\\)");

  /** What makes a device current to a thread. */
  private static final Pattern CURRENCY =
      Pattern.compile("(cuCtx(Push|Pop)Current_v2|hip[GS]etDevice)\\(.*");

  private static final Map<String, FakeDriver> BUILT = new ConcurrentHashMap<>();

  private final Kind kind;
  private final Path library;
  private final Map<String, String> cudaNames = new HashMap<>();
  private final MethodHandle reset;
  private final MethodHandle fail;
  private final MethodHandle set;
  private final MethodHandle count;
  private final MethodHandle log;
  private final MethodHandle use;

  private FakeDriver(Kind kind, Path library, String source) {
    this.kind = kind;
    this.library = library;
    Matcher names = NAMES.matcher(source);
    while (names.find()) {
      cudaNames.put(names.group(2), names.group(1));
    }
    reset = function("fake_reset", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
    fail =
        function(
            "fake_fail",
            FunctionDescriptor.ofVoid(
                ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    set =
        function("fake_set", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    count =
        function("fake_count", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    use = function("fake_use", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
    log =
        function(
            "fake_log",
            FunctionDescriptor.of(
                ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
  }

  /** Whether there is a C compiler. */
  public static boolean canBeBuilt() {
    for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(folder, "cc"))) {
        return true;
      }
    }
    return false;
  }

  /**
   * A driver, built at the first call.
   *
   * @param kind whose functions
   * @param without what it is to lack, such as {@code WITHOUT_GRAPHS}
   */
  public static FakeDriver of(Kind kind, String... without) {
    String name = "libfake-" + kind.device() + String.join("-", without).toLowerCase(Locale.ROOT);
    return BUILT.computeIfAbsent(name, file -> build(kind, file + ".so", without));
  }

  private static FakeDriver build(Kind kind, String file, String... without) {
    try (InputStream resource = FakeDriver.class.getResourceAsStream(SOURCE)) {
      if (resource == null) {
        throw new AssertionError(SOURCE + " is not there");
      }
      String source = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      Path folder = Files.createDirectories(Path.of("target", "fake-driver")).toAbsolutePath();
      Path library = folder.resolve(file);
      Files.writeString(folder.resolve(SOURCE), source);
      List<String> command =
          new ArrayList<>(List.of("cc", "-std=gnu11", "-O1", "-Wall", "-Wextra"));
      command.addAll(List.of("-Werror", "-shared", "-fPIC", "-pthread", "-D" + kind));
      for (String flag : without) {
        command.add("-D" + flag);
      }
      command.addAll(List.of("-o", library.toString(), folder.resolve(SOURCE).toString()));
      Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (compiler.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + ":\n" + said);
      }
      return new FakeDriver(kind, library, source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("restricted") // The library is ours.
  private MethodHandle function(String name, FunctionDescriptor type) {
    return Linker.nativeLinker()
        .downcallHandle(
            SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(name), type);
  }

  /** Whose functions it has. */
  public Kind kind() {
    return kind;
  }

  /** The built library. */
  public Path library() {
    return library;
  }

  /** Begins anew: two devices of so much memory, nothing live, nothing to fail. */
  public void reset(MemorySize capacity) {
    call(
        () -> {
          reset.invokeExact(capacity.bytes());
        });
  }

  /**
   * Has one call fail.
   *
   * @param function in CUDA's name, or {@code *} for any
   * @param nth which call from here on, from 1; 0 for every one
   * @param code what it gives; 0 for no failure
   */
  public void fail(String function, int nth, int code) {
    String own =
        cudaNames.entrySet().stream()
            .filter(name -> kind == Kind.HIP && name.getValue().equals(function))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(function);
    withText(
        own,
        text -> {
          fail.invokeExact(text, nth, code);
        });
  }

  /** No call fails any more. */
  public void recover() {
    fail("*", 0, 0);
  }

  /** Sets a figure, as the source lists them. */
  public void set(String figure, int value) {
    withText(
        figure,
        text -> {
          set.invokeExact(text, value);
        });
  }

  /** A figure, as the source lists them. */
  public long count(String figure) {
    long[] found = new long[1];
    withText(figure, text -> found[0] = (long) count.invokeExact(text));
    return found[0];
  }

  /** Has memory in a native call until the hold ends. */
  public void use(MemorySegment memory) {
    call(
        () -> {
          use.invokeExact(memory);
        });
  }

  /** What is live, by its kind. */
  public Map<String, Long> live() {
    Map<String, Long> live = new HashMap<>();
    for (String what :
        List.of("contexts", "block", "host", "pool", "stream", "event", "graph", "exec", "leaks")) {
      if (count(what) != 0) {
        live.put(what, count(what));
      }
    }
    return live;
  }

  /** The calls since the last time, in CUDA's names. */
  public List<String> calls() {
    String[] text = new String[1];
    call(
        () -> {
          try (Arena arena = Arena.ofConfined()) {
            long length = (long) log.invokeExact(MemorySegment.NULL, 0L);
            MemorySegment room = arena.allocate(length + 1);
            var _ = (long) log.invokeExact(room, length);
            text[0] = room.getString(0);
          }
        });
    return text[0].lines().map(this::inCudaNames).toList();
  }

  /** As {@link #calls}, without those that make a device current to the thread. */
  public List<String> work() {
    return calls().stream().filter(line -> !CURRENCY.matcher(line).matches()).toList();
  }

  private String inCudaNames(String line) {
    int end = line.indexOf('(');
    String name = line.substring(0, end);
    return cudaNames.getOrDefault(name, name) + line.substring(end);
  }

  private interface Action {
    void run() throws Throwable;
  }

  private interface WithText {
    void run(MemorySegment text) throws Throwable;
  }

  private static void withText(String text, WithText action) {
    call(
        () -> {
          try (Arena arena = Arena.ofConfined()) {
            action.run(arena.allocateFrom(text));
          }
        });
  }

  private static void call(Action action) {
    try {
      action.run();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
