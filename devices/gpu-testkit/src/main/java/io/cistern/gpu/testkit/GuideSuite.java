package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.storage.StorageProvider;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A guide page shows an example that runs. */
public abstract class GuideSuite extends GpuSuite {

  private static final Pattern SNIPPET = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern MARKED =
      Pattern.compile("(?s)// guide: begin\n(.*?)\n *// guide: end");

  private static final String COPY = "cuMemcpyDtoDAsync_v2";

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  protected GuideSuite(FakeDriver.Kind kind, StorageProvider provider) {
    super(kind, provider);
  }

  /** Checks that a page's Java is what a source has between its marks. */
  protected final void assertPageShows(String page, String source) throws IOException {
    String shown = group(SNIPPET, Files.readString(Path.of("..", "..", "docs", "guide", page)));
    assertThat(shown.strip()).isEqualTo(group(MARKED, Files.readString(Path.of(source))));
  }

  /** Without the indentation that the text has as a whole. */
  private static String group(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as("%s", pattern).isTrue();
    return matcher.group(1).stripIndent().strip();
  }

  /**
   * Stands in for a kernel: the driver's own copy of numbers, called by a binding apart from
   * Cistern's with the handle and the addresses that Cistern gave.
   */
  @SuppressWarnings("restricted") // The library is ours.
  protected final void copyOnTheDevice(long stream, long input, long output, int count) {
    SymbolLookup library = SymbolLookup.libraryLookup(fake().library(), Arena.global());
    String name = kind() == FakeDriver.Kind.HIP ? "hipMemcpyDtoDAsync" : COPY;
    MemorySegment symbol = library.findOrThrow(name);
    FunctionDescriptor type =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG);
    try {
      pushed(
          library,
          () -> {
            int code =
                (int)
                    Linker.nativeLinker()
                        .downcallHandle(symbol, type)
                        .invokeExact(output, input, (long) count * Float.BYTES, stream);
            assertThat(code).isZero();
          });
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private interface Action {
    void run() throws Throwable;
  }

  /** A CUDA call needs the device's primary context, which the storage has retained. */
  @SuppressWarnings("restricted") // The library is ours.
  private void pushed(SymbolLookup library, Action action) throws Throwable {
    if (kind() == FakeDriver.Kind.HIP) {
      action.run();
      return;
    }
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor retaining =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    FunctionDescriptor one = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    FunctionDescriptor releasing =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
      var retain =
          linker.downcallHandle(library.findOrThrow("cuDevicePrimaryCtxRetain"), retaining);
      var push = linker.downcallHandle(library.findOrThrow("cuCtxPushCurrent_v2"), one);
      var pop = linker.downcallHandle(library.findOrThrow("cuCtxPopCurrent_v2"), one);
      var release =
          linker.downcallHandle(library.findOrThrow("cuDevicePrimaryCtxRelease_v2"), releasing);
      int codes = (int) retain.invokeExact(out, 0);
      codes |= (int) push.invokeExact(out.get(ValueLayout.JAVA_LONG, 0));
      action.run();
      codes |= (int) pop.invokeExact(out.address());
      codes |= (int) release.invokeExact(0);
      assertThat(codes).isZero();
    }
  }
}
