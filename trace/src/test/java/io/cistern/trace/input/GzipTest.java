package io.cistern.trace.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GzipTest {

  private static final int ROWS = 40;

  @TempDir private Path folder;

  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static String rows(int from, int to) {
    StringBuilder rows = new StringBuilder();
    Random random = new Random(from);
    for (int i = from; i < to; i++) {
      rows.append("alloc,").append(i).append(',').append(random.nextInt(1 << 20)).append('\n');
    }
    return rows.toString();
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static int count(byte[] content, TraceFaults faults) throws IOException {
    int rows = 0;
    try (TraceReader reader =
        Traces.open(new ByteArrayInputStream(content), ReadOptions.DEFAULT, faults)) {
      while (reader.next()) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void isKnownByContentAndNotByName() throws IOException {
    Path packed = Files.write(folder.resolve("packed.csv"), gzip("op,id,size\nalloc,1,2\n"));
    Path plain = Files.writeString(folder.resolve("plain.csv.gz"), "op,id,size\nalloc,1,2\n");
    for (Path file : new Path[] {packed, plain}) {
      try (TraceReader reader = Traces.open(file, TraceFaults.strict("t"))) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.byteSize()).isEqualTo(2);
        assertThat(reader.next()).isFalse();
      }
    }
  }

  @Test
  void membersFollowEachOther() throws IOException {
    byte[] both = join(gzip("op,id,size\n" + rows(0, ROWS)), gzip(rows(ROWS, 2 * ROWS)));
    assertThat(count(both, TraceFaults.strict("t"))).isEqualTo(2 * ROWS);
  }

  /** Two members, cut at every byte: only a cut between them is none. */
  @Test
  void aCutShowsWhereverItIs() throws IOException {
    byte[] first = gzip("op,id,size\n" + rows(0, ROWS));
    byte[] both = join(first, gzip(rows(ROWS, 2 * ROWS)));
    for (int length = 2; length < both.length; length++) {
      byte[] cut = Arrays.copyOf(both, length);
      if (length == first.length) {
        assertThat(count(cut, TraceFaults.strict("t"))).isEqualTo(ROWS);
        continue;
      }
      TraceException fault =
          catchThrowableOfType(TraceException.class, () -> count(cut, TraceFaults.strict("t")));
      assertThat(fault).as("cut at %d of %d", length, both.length).isNotNull();
      assertThat(fault.reason()).startsWith("the gzip data ");
      assertThat(fault.line()).isBetween(1L, 2L * ROWS + 2);
    }
  }

  @Test
  void aLenientReaderEndsAtTheCutAndCountsItOnce() throws IOException {
    byte[] whole = gzip("op,id,size\n" + rows(0, 10_000));
    for (int length = 200; length < whole.length; length += 997) {
      TraceFaults faults = TraceFaults.lenient("t");
      int rows = count(Arrays.copyOf(whole, length), faults);
      assertThat(rows).isLessThanOrEqualTo(10_000);
      assertThat(faults.skipped()).isEqualTo(1);
    }
  }

  /** A number that the cut has shortened would still be a number. */
  @Test
  void theRestOfALineBeforeTheCutIsNoRow() throws IOException {
    String text = "op,id,size\n" + rows(0, 10_000);
    Set<String> lines = text.lines().collect(Collectors.toSet());
    byte[] whole = gzip(text);
    for (int length = whole.length / 2; length < whole.length / 2 + 100; length++) {
      try (TraceReader reader =
          Traces.open(
              new ByteArrayInputStream(Arrays.copyOf(whole, length)),
              ReadOptions.DEFAULT,
              TraceFaults.lenient("t"))) {
        while (reader.next()) {
          if (!lines.contains("alloc," + reader.id() + "," + reader.byteSize())) {
            fail("half a line was read at line %d", reader.line());
          }
        }
      }
    }
  }

  @Test
  void damageShows() throws IOException {
    byte[] whole = gzip("op,id,size\n" + rows(0, 1000));
    byte[] trailer = whole.clone();
    trailer[whole.length - 6] ^= 1;
    byte[] followed = join(whole, "more".getBytes(StandardCharsets.US_ASCII));
    byte[] header = whole.clone();
    header[2] = 7;
    for (byte[] content : new byte[][] {trailer, followed, header}) {
      TraceException fault =
          catchThrowableOfType(TraceException.class, () -> count(content, TraceFaults.strict("t")));
      assertThat(fault.reason()).startsWith("the gzip data ");
    }
  }
}
