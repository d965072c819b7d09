package io.cistern.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.file.Rows;
import io.cistern.trace.input.LineReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTraceReaderTest {

  private static final String HEADER = "op,id,size,stream,time_us\n";

  /** A row as the reader tells it, with its line in front. */
  private static List<String> read(byte[] content, TraceFaults faults) throws IOException {
    Rows rows = Rows.of(content, ReadOptions.DEFAULT, faults);
    return IntStream.range(0, rows.rows().size())
        .mapToObj(i -> rows.lines().get(i) + " " + rows.rows().get(i))
        .toList();
  }

  private static List<String> read(String content) throws IOException {
    return read(bytes(content), TraceFaults.strict("t.csv"));
  }

  private static byte[] bytes(String content) {
    return content.getBytes(StandardCharsets.UTF_8);
  }

  private static TraceException fault(byte[] content) {
    return catchThrowableOfType(
        TraceException.class, () -> read(content, TraceFaults.strict("t.csv")));
  }

  @Test
  void readsRowsInTheOrderOfTheFile() throws IOException {
    assertThat(read(HEADER + "alloc,0,1024,0,5\nalloc,1,64,2,6\nfree,0,1024,1,9\n"))
        .containsExactly("2 alloc 0 1024 0 5", "3 alloc 1 64 2 6", "4 free 0 1024 1 9");
  }

  /** Tables that were joined from two kinds of rows have nothing there, wherever the op stands. */
  @Test
  void aFreeNeedsNoSize() throws IOException {
    assertThat(read("size,id,op\n7,3,alloc\n,3,free\n"))
        .containsExactly("2 alloc 3 7 0 0", "3 free 3 0 0 0");
  }

  @Test
  void columnsStandInAnyOrderAmongOthers() throws IOException {
    assertThat(read("where,size,ID,note,op\nmain,7,3,a b,alloc\n,7,3,\u00fc,free\n"))
        .containsExactly("2 alloc 3 7 0 0", "3 free 3 7 0 0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "op,id,size\r\nalloc,3,7\r\nfree,3,7\r\n",
        "op,id,size\nalloc,3,7\nfree,3,7",
        "op,id,size\r\nalloc,3,7\r\nfree,3,7\r",
        "\ufeffop,id,size\nalloc,3,7\nfree,3,7\n",
        "\"op\",\"id\",\"size\"\n\"alloc\",\"3\",\"7\"\n\"free\",3,7\n",
        "op, id, size\nalloc, 3, 7\nfree ,\t3 , 7 \n",
        "op,id,size,x\nalloc,3,7,\"a,b\"\nfree,3,7,\n",
        "op,x,id,size\nalloc,\"a,b\",3,7\nfree,,3,7\n",
        "op,id,size\nalloc,3,7,surplus\nfree,0003,7\n",
        "op,id,size,stream,time_us\nalloc,3,7,,\nfree,3,7,,\n",
      })
  void manyWaysToWriteTheSame(String content) throws IOException {
    assertThat(read(content)).containsExactly("2 alloc 3 7 0 0", "3 free 3 7 0 0");
  }

  @Test
  void emptyLinesCountAndSayNothing() throws IOException {
    assertThat(read("op,id,size\n\nalloc,3,7\n\r\n\n")).containsExactly("3 alloc 3 7 0 0");
  }

  @Test
  void numbersMayBeAsLargeAsALong() throws IOException {
    assertThat(read(HEADER + "alloc,9223372036854775807,9223372036854775807,-2147483648,-5\n"))
        .containsExactly("2 alloc 9223372036854775807 9223372036854775807 -2147483648 -5");
    assertThat(read(HEADER + "alloc,000000000000000000000000000000000000000000000001,2,3,4\n"))
        .containsExactly("2 alloc 1 2 3 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "realloc,1,2,0,0              | unknown op \"realloc\": it is alloc or free",
        "Alloc,1,2,0,0                | unknown op \"Alloc\": it is alloc or free",
        "alloc,x1,2,0,0               | id is not a number: \"x1\"",
        "alloc,-1,2,0,0               | id -1 is negative",
        "alloc,9223372036854775808,2,0,0 | id 9223372036854775808 is above 2^63-1",
        "alloc,1,,0,0                 | size is empty: an allocation has one",
        "alloc,1,1e3,0,0              | size is not a number: \"1e3\"",
        "alloc,1,1.5,0,0              | size is not a number: \"1.5\"",
        "alloc,1,+5,0,0               | size is not a number: \"+5\"",
        "alloc,1,-5,0,0               | size -5 is negative",
        "free,1,-5,0,0                | size -5 is negative",
        "alloc,1,9223372036854775808,0,0 | size 9223372036854775808 is above 2^63-1",
        "alloc,1,18446744073709551615,0,0 | size 18446744073709551615 is above 2^63-1",
        "alloc,1,2,2147483648,0       | stream 2147483648 is above 2147483647",
        "alloc,1,2,-2147483649,0      | stream -2147483649 is below -2147483648",
        "alloc,1,2,a,0                | stream is not a number: \"a\"",
        "alloc,1,2,0,noon             | time_us is not a number: \"noon\"",
        "alloc,1                      | column \"size\", \"stream\", \"time_us\" is missing:"
            + " the row is too short",
        "alloc,1,2,0                  | column \"time_us\" is missing: the row is too short",
        "alloc                        | column \"id\", \"size\", \"stream\", \"time_us\" is"
            + " missing: the row is too short",
      })
  void aBadRowIsNamedWithItsLineAndReason(String row, String reason) throws IOException {
    String content = HEADER + "alloc,0,1,0,0\n" + row + "\nfree,0,1,0,0\n";
    TraceException fault = fault(bytes(content));
    assertThat(fault.file()).isEqualTo("t.csv");
    assertThat(fault.line()).isEqualTo(3);
    assertThat(fault.reason()).isEqualTo(reason);
    assertThat(fault).hasMessage("t.csv:3: " + reason);

    TraceFaults lenient = TraceFaults.lenient("t.csv");
    assertThat(read(bytes(content), lenient)).containsExactly("2 alloc 0 1 0 0", "4 free 0 1 0 0");
    assertThat(lenient.skipped()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "nothing",
      value = {
        "''                    | the file is empty: it has no header op,id,size,stream,time_us",
        "alloc,0,1024,0,0      | the header is missing: the first line names the columns"
            + " op,id,size,stream,time_us",
        "op,id,stream          | column \"size\" is missing in the header",
        "op,size,id,op         | the header names column \"op\" twice",
      })
  void aBadHeaderIsAnErrorAlsoLeniently(String content, String reason) {
    assertThat(fault(bytes(content)).reason()).isEqualTo(reason);
    assertThat(fault(bytes(content)).line()).isEqualTo(1);
    assertThatThrownBy(() -> read(bytes(content), TraceFaults.lenient("t.csv")))
        .isInstanceOf(TraceException.class);
  }

  @Test
  void whatIsNoTextIsSaidToBeNone() {
    assertThat(fault(new byte[] {'P', 'K', 3, 4, 0, 0}).reason())
        .isEqualTo("the line is no text: it has a byte of value 3");
    assertThat(fault(new byte[] {'o', 'p', (byte) 0xff, '\n'}).reason())
        .isEqualTo("the line is no UTF-8 text");
    byte[] row = bytes(HEADER + "alloc,0,1,0,?\n");
    row[row.length - 2] = (byte) 0xc3;
    assertThat(fault(row)).hasMessage("t.csv:2: the line is no UTF-8 text");
    byte[] ignored = bytes("op,id,size,x\nalloc,0,1,?\n");
    ignored[ignored.length - 2] = 0;
    assertThat(fault(ignored)).hasMessage("t.csv:2: the line is no text: it has a byte of value 0");
  }

  @Test
  void aLineHasABound() throws IOException {
    int bound = LineReader.MAX_LINE_BYTE_SIZE;
    for (int length : new int[] {bound + 1, 2 * bound + 7, 10 * bound}) {
      String content =
          "op,id,size,x\nalloc,0,1,a\nalloc,1,1," + "x".repeat(length - 10) + "\nfree,0,1,b\n";
      assertThat(fault(bytes(content))).hasMessage("t.csv:3: the line is longer than 65536 bytes");
      TraceFaults lenient = TraceFaults.lenient("t.csv");
      assertThat(read(bytes(content), lenient))
          .containsExactly("2 alloc 0 1 0 0", "4 free 0 1 0 0");
      assertThat(lenient.skipped()).isEqualTo(1);
    }
    String atBound = "op,id,size,x\nalloc,1,1," + "x".repeat(bound - 10) + "\nfree,1,1,b\n";
    assertThat(read(atBound)).hasSize(2);
    String endless = "op,id,size\n" + "x".repeat(5 * bound);
    assertThat(fault(bytes(endless)).line()).isEqualTo(2);
    assertThat(read(bytes(endless), TraceFaults.lenient("t.csv"))).isEmpty();
  }

  /** Lines of all lengths meet the borders of the buffer at all places. */
  @Test
  void linesAcrossBuffersAreWhole() throws IOException {
    StringBuilder content = new StringBuilder("op,id,size,x\n");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      content.append("alloc,").append(i).append(",7,").append("y".repeat(i % 97)).append('\n');
      expected.add((i + 2) + " alloc " + i + " 7 0 0");
    }
    assertThat(read(content.toString())).isEqualTo(expected);
  }
}
