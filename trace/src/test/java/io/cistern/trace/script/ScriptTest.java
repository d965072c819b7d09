package io.cistern.trace.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.trace.TraceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptTest {

  private final List<String> told = new ArrayList<>();

  private static Script read(String text) throws IOException {
    return Script.read(
        "test.script", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private ScriptResult run(String text) throws IOException {
    return read(text).run(told::add);
  }

  @Test
  void everyStepIsTaken() throws IOException {
    ScriptResult result =
        run(
            """
            # What a line begins with this is no step.
            device capacity=64KiB alignment=16 block_alignment=256 max_page_size=8KiB
            manager streams persistent=size-match max_wait=0s
            layout sliced page_size=4KiB max_pool_size=8KiB dealloc_period=3 | direct reclaim_at=16KiB

            allocate a 100 align=64 tag=weights stream=1
            retain b a
            close a
            use b f
            close b
            expect pending=112 in_use=0
            pass f
            window w stream=1
            allocate persistent 1KiB stream=1
            end w
            capture c stream=2
            allocate c1 500 stream=2
            primed c
            close c1
            pin p c
            expect pinned=500 in_use=1524 allocations=2
            end p
            dry_run d stream=2
            allocate e 3000 stream=2
            resolve e
            end d
            install sub-slices
            close e
            close persistent
            trim
            install exclusive max_alloc_size=1MiB | direct
            driver refuses_blocks refuses_frees
            allocate none 1 stream=1
            close none
            driver works
            close_stream 2
            expect allocations=0 in_use=0 padding=0 pending=0 pinned=0 reserved=0 refused=1
            """);

    assertThat(result.steps()).isEqualTo(32);
    assertThat(result.served()).isEqualTo(4);
    assertThat(result.refused()).isEqualTo(1);
    assertThat(result.usage().reserved()).isEqualTo(MemorySize.ZERO);
    assertThat(told)
        .contains("6: allocate a 100 align=64 tag=weights stream=1 -> pool 0, offset 0")
        .contains("14: allocate persistent 1KiB stream=1 -> persistent pool, offset 0")
        .contains("20: pin p c -> 1 slices pinned")
        .anyMatch(line -> line.startsWith("27: install sub-slices -> refused: "))
        .anyMatch(line -> line.startsWith("33: allocate none 1 stream=1 -> refused: "))
        .contains("34: close none -> passed over: what it names was refused");
  }

  @Test
  void anExpectationThatDoesNotHoldIsAFailure() {
    assertThatThrownBy(() -> run("allocate a 100\nexpect in_use=99\nclose a\n"))
        .isInstanceOf(ScriptFailure.class)
        .hasMessage("test.script:2: in_use is 100, expected is 99");
    assertThat(told).containsExactly("1: allocate a 100 -> pool 1, offset 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "frobnicate a ~ there is no \"frobnicate\"; there are device, manager, layout, install, all",
        "allocate ~ allocate needs a new name",
        "allocate a ~ allocate needs a size",
        "allocate a lots ~ size is a size such as 4096 or 64KiB, not \"lots\"",
        "allocate a 1 2 ~ \"2\" is one word too many for allocate",
        "allocate a 1 colour=red ~ allocate has no colour",
        "allocate a 1 align=3 ~ alignment",
        "allocate a 1 align=4 align=4 ~ align is set twice",
        "allocate a 1 stream=-1 ~ stream is a whole number, not \"-1\"",
        "allocate a 1 stream=1 ~ there are no streams",
        "close a ~ there is no open handle a",
        "pass f ~ nothing is used until f",
        "close_stream 3 ~ there is no open stream 3",
        "driver sulks ~ driver needs works, refuses_blocks or refuses_frees",
        "expect ~ expect needs a total, such as in_use=4096",
        "expect joy=1 ~ expect needs a total, such as in_use=4096",
        "manager alone ~ \"alone\" is none of shared, confined, streams",
        "manager shared persistent=never ~ persistent is one of enabled, size-match",
        "manager shared max_wait=soon ~ max_wait is whole seconds such as 10s, not \"soon\"",
        "device alignment=3 ~ 3",
        "layout sliced ~ a sliced pool needs page_size=SIZE",
        "layout exclusive ~ an exclusive pool needs max_alloc_size=SIZE",
        "layout tiny ~ a layout is sub-slices, exclusive-pages, or pools with | between them",
        "layout direct | ~ a layout is sub-slices",
        "layout sliced page_size=1KiB max_slice_size=2KiB ~ max_slice_size",
        "install sliced page_size=0 ~ page_size"
      })
  void whatIsWrongIsSaidWithItsLine(String line, String reason) {
    assertThatThrownBy(() -> run("# the first line\n" + line.strip() + "\n"))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith("test.script:2: ")
        .hasMessageContaining(reason);
  }

  @Test
  void theHeadStandsBeforeTheFirstStep() {
    assertThatThrownBy(() -> run("trim\nlayout direct\n"))
        .hasMessage("test.script:2: layout stands before the first step");
  }

  @Test
  void aNameIsGivenOnce() {
    assertThatThrownBy(() -> run("allocate a 1\nallocate a 2\n"))
        .hasMessage("test.script:2: there is a handle a already");
  }

  @Test
  void whatIsNoTextIsRefused() {
    assertThatThrownBy(
            () ->
                Script.read("test.script", new ByteArrayInputStream(new byte[] {'t', (byte) 0xff})))
        .isInstanceOf(TraceException.class)
        .hasMessageStartingWith("test.script:1: ");
  }

  @Test
  void memoryThatIsStillSomebodysIsNotToBeGivenOutAgain() {
    ScriptBook book = new ScriptBook();
    ScriptSlice first = new ScriptSlice("first", 100);
    ScriptFence fence = new ScriptFence();
    first.fences.add(fence);
    book.allocated(first);
    assertThat(book.placed(first, 1000)).isEmpty();
    assertThat(book.placed(new ScriptSlice("before", 10), 990)).isEmpty();
    assertThat(book.placed(new ScriptSlice("into", 5), 991)).contains("before");

    book.closed(first);
    assertThat(book.placed(new ScriptSlice("while it is used", 1), 1099)).contains("first");

    fence.pass();
    assertThat(book.placed(new ScriptSlice("later", 1), 1099)).isEmpty();
  }
}
