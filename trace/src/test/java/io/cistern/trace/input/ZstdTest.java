package io.cistern.trace.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.luben.zstd.Zstd;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Traces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ZstdTest {

  private static final int ROWS = 2000;

  private static byte[] packed() {
    StringBuilder rows = new StringBuilder("op,id,size\n");
    for (int i = 0; i < ROWS; i++) {
      rows.append("alloc,").append(i).append(',').append(i * 7919 % 10007).append('\n');
    }
    return Zstd.compress(rows.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private static int count(byte[] content) throws IOException {
    int rows = 0;
    try (TraceReader reader =
        Traces.open(
            new ByteArrayInputStream(content), ReadOptions.DEFAULT, TraceFaults.strict("t"))) {
      while (reader.next()) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void framesFollowEachOther() throws IOException {
    byte[] first = packed();
    byte[] second = Zstd.compress("alloc,5000,1\n".getBytes(StandardCharsets.US_ASCII));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    assertThat(count(both)).isEqualTo(ROWS + 1);
  }

  @Test
  void aCutShowsWhereverItIs() {
    byte[] whole = packed();
    for (int length = 4; length < whole.length; length += 7) {
      byte[] cut = Arrays.copyOf(whole, length);
      TraceException fault = catchThrowableOfType(TraceException.class, () -> count(cut));
      assertThat(fault).as("cut at %d of %d", length, whole.length).isNotNull();
      assertThat(fault.reason()).isEqualTo("the zstd data is cut off");
      assertThat(fault.line()).isBetween(1L, ROWS + 1L);
    }
  }

  @Test
  void otherBytesBehindTheDataShow() {
    byte[] whole = packed();
    TraceException fault =
        catchThrowableOfType(
            TraceException.class, () -> count(Arrays.copyOf(whole, whole.length + 4)));
    assertThat(fault.reason()).startsWith("the zstd data is damaged: ");
  }
}
