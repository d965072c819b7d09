package io.cistern.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.file.Rows;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs of calls, a line each. */
class LogReadersTest {

  private static final String RMM = "Thread,Time,Action,Pointer,Size,Stream\n";
  private static final String VMA =
      "Vulkan Memory Allocator,Calls recording\n1,8\nConfig,Begin\nMacro,X,1\nConfig,End\n";

  private static TraceException fault(String text) {
    return catchThrowableOfType(TraceException.class, () -> Rows.of(text));
  }

  @Test
  void rmmPointersAreUsedAgainAndFreedElsewhere() throws IOException {
    Rows rows =
        Rows.of(
            RMM
                + """
                1001,23:59:59.999990,allocate,0x7f0000000000,256,0x1
                1002,23:59:59.999995,free,0x7f0000000000,256,0x1
                1001,00:00:00.000001,allocate,0x7f0000000000,512,0x5581aa00
                1002,00:00:00.000004,allocate failure,(nil),99999999999,0x5581aa00
                1001,00:00:00.000005,allocate,(nil),0,0
                1001,00:00:00.000006,allocate,(nil),0,0
                1001,00:00:00.000007,free,(nil),0,0
                1001,00:00:00.000008,free,(nil),0,0
                """);
    assertThat(rows.format()).isEqualTo(TraceFormat.RMM);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 256 1 0",
            "free 0 256 1 5",
            "alloc 1 512 2 11",
            "alloc 2 0 0 15",
            "alloc 3 0 0 16",
            "free 3 0 0 17",
            "free 2 0 0 18");
    assertThat(rows.lines()).startsWith(2L, 3L, 4L, 6L);
    assertThat(rows.facts().count(TraceFacts.Count.EVENTS)).isEqualTo(8);
    assertThat(rows.facts().count(TraceFacts.Count.CROSS_THREAD_FREES)).isEqualTo(1);
    assertThat(rows.facts().firstFailure())
        .contains(new TraceFacts.FailedRequest(5, 99_999_999_999L, 2));
    assertThat(rows.facts().threads()).containsExactly(1001L, 1002L);
  }

  @Test
  void whatAnRmmLogContradictsIsListed() throws IOException {
    TraceFaults faults = TraceFaults.lenient("t");
    Rows rows =
        Rows.lenient(
            RMM
                + """
                1,10:00:00.000001,allocate,0x1000,256,0
                1,10:00:00.000002,free,0x2000,256,0
                1,10:00:00.000003,free,0x1000,128,0
                1,10:00:00.000004,allocate,0x1000,64,0
                1,10:00:00.000005,allocate,0x1000,32,0
                """,
            faults);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 256 0 0",
            "free 0 256 0 2",
            "alloc 1 64 0 3",
            "free 1 64 0 4",
            "alloc 2 32 0 4");
    assertThat(faults.problems())
        .extracting(Throwable::getMessage)
        .containsExactly(
            "t:3: free of an unknown pointer, 0x2000",
            "t:4: size differs from the allocation: freed with 128, allocated with 256",
            "t:6: an allocation at 0x1000, which is live");
    assertThat(rows.facts().count(TraceFacts.Count.UNMATCHED_FREES)).isEqualTo(1);
    assertThat(rows.facts().count(TraceFacts.Count.REUSED_LIVE)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,10:00:00.1,grow,0x1,1,0      | unknown Action \"grow\"",
        "1,10:00:00.1,allocate,0x1,1    | the row has 5 fields; its header names 6",
        "1,10:00:00.1,allocate,x,1,0    | Pointer is no address: \"x\"",
        "1,10:00:00.1,allocate,0x1ffffffffffffffff,1,0 | Pointer is no address",
        "1,10:00:00.1,allocate,0x1,-1,0 | Size is no number of bytes: \"-1\"",
        "1,10:00:00.1,allocate,0x1,9223372036854775808,0 | Size is no number of bytes",
        "1,10:00:00.1,allocate,0x1,1,s  | Stream is no number: \"s\"",
        "a,10:00:00.1,allocate,0x1,1,0  | Thread is no number: \"a\"",
        "1,noon,allocate,0x1,1,0        | Time is no time of day: \"noon\"",
      })
  void aBadRmmRowIsNamed(String row, String reason) {
    assertThat(fault(RMM + row + "\n").reason()).startsWith(reason.strip());
    assertThat(fault(RMM + row + "\n").line()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"'4096\n3\n7\n1\n'", "'1\n3\n7\n4096\n'", "'3\n7\n'"})
  void mallocLabHeadersHaveTwoOrFourLines(String header) throws IOException {
    Rows rows = Rows.of(header + "a 0 100\na 1 50\nr 0 200\nf 1\nf -1\na 2 0\nf 0\n");
    assertThat(rows.format()).isEqualTo(TraceFormat.MALLOC_LAB);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 100 0 0",
            "alloc 1 50 0 1",
            "alloc 2 200 0 2",
            "free 0 100 0 2",
            "free 1 50 0 3",
            "alloc 3 0 0 5",
            "free 2 200 0 6");
    assertThat(rows.lines().getFirst()).isEqualTo(header.lines().count() + 1);
  }

  @Test
  void aMallocLabTraceThatIsCutShows() throws IOException {
    assertThat(fault("3\n7\na 0 100\nf 0\n"))
        .hasMessage("t:4: the header announces 7 operations; there are 2");
    assertThat(fault("3\n2\na 0 100\nf 5\n")).hasMessageContaining("free of an unknown pointer");
    assertThat(fault("3\n2\na 0 100\na 5\n")).hasMessageContaining("\"a 5\" is no operation");
    assertThat(fault("3\n2\na 0 100\nx 5 5\n")).hasMessageContaining("unknown operation \"x\"");
  }

  @Test
  void androidCallsOfAllKinds() throws IOException {
    Rows rows =
        Rows.of(
            """
            200: malloc 0xb4827400 1024
            300: calloc 0xb4837058 4 5
            200: realloc 0xb4837100 0xb4827400 2048
            200: realloc 0xb4837100 0xb4837100 4096
            200: memalign 0xb4839040 64 100
            200: free 0x0
            300: free 0xb4837100
            200: malloc 0x0 77
            200: realloc 0x0 0xb4839040 0
            200: realloc 0xb0 0x0 9
            200: thread_done 0x0
            """);
    assertThat(rows.format()).isEqualTo(TraceFormat.MEMORY_REPLAY);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 1024 0 0",
            "alloc 1 20 1 1",
            "alloc 2 2048 0 2",
            "free 0 1024 0 2",
            "alloc 3 4096 0 3",
            "free 2 2048 0 3",
            "alloc 4 100 0 4",
            "free 3 4096 1 6",
            "free 4 100 0 8",
            "alloc 5 9 0 9");
    assertThat(rows.facts().count(TraceFacts.Count.CROSS_THREAD_FREES)).isEqualTo(1);
    assertThat(rows.facts().firstFailure()).contains(new TraceFacts.FailedRequest(8, 77, 0));
    assertThat(rows.facts().hasClock()).isFalse();
  }

  @Test
  void androidCallsMayHaveTimes() throws IOException {
    Rows rows = Rows.of("7: malloc 0x10 8 5000000 5000900\n7: free 0x10 5012000 5012100\n");
    assertThat(rows.rows()).containsExactly("alloc 0 8 0 0", "free 0 8 0 12");
    assertThat(rows.facts().hasClock()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7: mallok 0x20 8  | \"7: mallok 0x20 8\" is no call",
        "7: malloc 0x20    | malloc has 1 values, not 2",
        "7: malloc zz 8    | \"zz\" is neither an address nor a number",
        "7: free 0x30      | free of an unknown pointer, 0x30",
        "7: realloc 0x20 0x30 8 | realloc of an unknown pointer, 0x30",
        "7: calloc 0x20 4294967296 4294967296 | calloc of more than 2^63-1 bytes",
      })
  void aBadAndroidLineIsNamed(String line, String reason) {
    TraceException fault = fault("7: malloc 0x10 8\n" + line + "\n");
    assertThat(fault.reason()).startsWith(reason.strip());
    assertThat(fault.line()).isEqualTo(2);
  }

  @Test
  void vmaCallsThatTellTheirBytes() throws IOException {
    Rows rows =
        Rows.of(
            VMA
                + """
                8,0.002,0,vmaCreateAllocator
                8,0.134,0,vmaCreateImage,0,1,126,800,600,1,1,1,1,0,32,0,0,32,1,0,0,0,0,7F0,Depth
                8,0.302,0,vmaCreateBuffer,0,4194304,1,0,36,3,0,0,0,0000000000000000,7FE8,name
                9,0.303,0,vmaAllocateMemory,512,16,7,0,1,0,0,0,0,A0,
                9,0.304,0,vmaAllocateMemoryPages,64,16,7,0,1,0,0,0,0,B0 B1,
                9,0.305,0,vmaAllocateMemoryForBuffer,96,16,7,0,0,0,1,0,0,0,0,C0,
                8,0.388,0,vmaDestroyBuffer,7FE8
                8,0.389,0,vmaDestroyImage,7F0
                8,0.390,0,vmaFreeMemoryPages,B0 B1
                8,0.391,0,vmaFreeMemory,A0
                8,0.4,0,vmaDestroyAllocator
                """);
    assertThat(rows.format()).isEqualTo(TraceFormat.VMA_RECORDING);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 4194304 0 302000",
            "alloc 1 512 0 303000",
            "alloc 2 64 0 304000",
            "alloc 3 64 0 304000",
            "alloc 4 96 0 305000",
            "free 0 4194304 0 388000",
            "free 2 64 0 390000",
            "free 3 64 0 390000",
            "free 1 512 0 391000");
    assertThat(rows.facts().count(TraceFacts.Count.LEFT_OUT)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hello                            | a call has its thread, its time",
        "8,0.3,0,vmaCreateBuffer,0,x,1    | vmaCreateBuffer has no size or no pointer",
        "8,0.3,0,vmaFreeMemory,zz         | vmaFreeMemory has no pointer",
        "8,0.3,0,vmaFreeMemory,77         | free of an unknown pointer, 0x77",
      })
  void aBadVmaCallIsNamed(String line, String reason) {
    assertThat(fault(VMA + line + "\n").reason()).startsWith(reason.strip());
    assertThat(fault(VMA + line + "\n").line()).isEqualTo(6);
  }

  @Test
  void aVmaCallMayHaveManyPages() throws IOException {
    String pages =
        IntStream.range(0, 10_000)
            .mapToObj(i -> Integer.toHexString(0x1000 + i))
            .collect(Collectors.joining(" "));
    Rows rows =
        Rows.of(
            VMA
                + "9,0.3,0,vmaAllocateMemoryPages,64,16,7,0,1,0,0,0,0,"
                + pages
                + ",\n9,0.4,0,vmaFreeMemoryPages,"
                + pages
                + "\n");
    assertThat(rows.rows()).hasSize(20_000);
  }

  @Test
  void anUnknownVmaVersionIsSaid() {
    assertThat(fault("Vulkan Memory Allocator,Calls recording\n2,0\n"))
        .hasMessage("t:2: the format's version is \"2,0\"; 1,0 to 1,8 can be read");
  }

  @Test
  void staticLifetimesAreSortedByTime() throws IOException {
    Rows rows = Rows.of("id,lower,upper,size\nb,5,9,30\na,0,5,10\nc,5,7,20\nd,9,12,1\n");
    assertThat(rows.format()).isEqualTo(TraceFormat.STATIC);
    assertThat(rows.rows())
        .containsExactly(
            "alloc 0 10 0 0",
            "free 0 10 0 5",
            "alloc 1 30 0 5",
            "alloc 2 20 0 5",
            "free 2 20 0 7",
            "free 1 30 0 9",
            "alloc 3 1 0 9",
            "free 3 1 0 12");
    assertThat(fault("id,lower,upper,size\n0,5,5,1\n"))
        .hasMessage("t:2: lower 5 is not below upper 5");
    assertThat(fault("id,lower,upper,size\n0,5\n"))
        .hasMessage("t:2: the row has 2 fields; its header names 4");
    assertThat(fault("id,lower,upper,size\n0,5,x,1\n")).hasMessageContaining("\"x\"");
  }
}
