package io.cistern.trace.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.file.Rows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever is done to a file of any format, each reader ends, with rows or with one error of its
 * own. Recordings of Flight Recorder, which take longer, have a test of their own.
 */
class DamagedTracesTest {

  private static final int TRIES = 1000;
  private static final String TOKENS = "0123456789-,. \n\"[{}]xe";

  static Stream<Arguments> traces() {
    return Stream.of(
        Arguments.of(
            TraceFormat.CSV,
            bytes(
                """
                op,id,size,stream,time_us,reserved
                alloc,0,100,0,10,500
                "alloc",1,50,3,12,
                free,0,100,0,15,800
                alloc,9223372036854775807,0,0,20,700
                """)),
        Arguments.of(TraceFormat.PYTORCH_SNAPSHOT, snapshot(2)),
        Arguments.of(TraceFormat.PYTORCH_SNAPSHOT, snapshot(5)),
        Arguments.of(
            TraceFormat.CHROME_TRACE,
            bytes(
                """
                {"schemaVersion": 1, "traceEvents": [
                {"name": "aten::empty", "ph": "X", "ts": 1.5, "args": {"a": [1, {}]}},
                {"name": "[memory]", "ts": 5e3, "args": {"Addr": 1, "Bytes": 1024, "Device Type": 1,
                  "Device Id": 0, "Total Allocated": 4096, "Total Reserved": 8192}},
                {"name": "[memory]", "ts": 6.25, "args": {"Addr": 1, "Bytes": -1024,
                  "Device Type": 1, "Device Id": 0, "Total Allocated": 3072}},
                {"name": "[memory]", "ts": 7, "args": {"Addr": 1, "Bytes": 64, "Device Type": 0,
                  "Device Id": -1}}]}
                """)),
        Arguments.of(
            TraceFormat.MEMORY_TIMELINE,
            bytes(
                "[[-1, 1, 512, 1], [1000, 2, 1024, 2], [2000, 3, -1024, 2], [2000, 3, 1024, 5],"
                    + " [3500, 4, -1024, 5]]")),
        Arguments.of(
            TraceFormat.RMM,
            bytes(
                """
                Thread,Time,Action,Pointer,Size,Stream
                1001,23:59:59.900000,allocate,0x7f0000000000,4096,0x0
                1002,23:59:59:900250,allocate,0x7f0000001000,1000,0x2
                1002,00:00:00.000300,allocate failure,(nil),99999999999,0x2
                1002,00:00:00.002500,free,0x7f0000000000,4096,0x0
                """)),
        Arguments.of(
            TraceFormat.STATIC, bytes("id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\n")),
        Arguments.of(
            TraceFormat.MALLOC_LAB, bytes("2000\n2\n5\n1\na 0 100\nr 0 7\na 1 9\nf 0\nf 1\n")),
        Arguments.of(
            TraceFormat.MEMORY_REPLAY,
            bytes(
                """
                200: malloc 0xb4827400 1024 1000 1001
                300: calloc 0xb4837058 4 5
                200: realloc 0xb4837100 0xb4827400 2048
                200: memalign 0xb4839040 64 100
                300: free 0xb4837100
                200: realloc 0x0 0xb4839040 0
                200: thread_done 0x0
                """)),
        Arguments.of(
            TraceFormat.VMA_RECORDING,
            bytes(
                """
                Vulkan Memory Allocator,Calls recording
                1,8
                Config,Begin
                Config,End
                8,0.134,0,vmaCreateImage,0,1,126,800,600,1,1,1,1,0,32,0,0,32,1,0,0,0,0,7F0,Depth
                8,0.302,0,vmaCreateBuffer,0,4194304,1,0,36,3,0,0,0,0000000000000000,7FE8,name
                9,0.304,0,vmaAllocateMemoryPages,64,16,7,0,1,0,0,0,0,B0 B1,
                8,0.388,0,vmaDestroyBuffer,7FE8
                8,0.390,0,vmaFreeMemoryPages,B0 B1
                """)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] snapshot(int protocol) {
    List<?> events =
        List.of(
            Map.of("action", "segment_alloc", "addr", 4096, "size", 1 << 20, "stream", 0),
            Map.of("action", "alloc", "addr", 4096L << 40, "size", 1000, "time_us", 1_700_000_000),
            Map.of("action", "free_completed", "addr", 4096L << 40, "size", 1000),
            Map.of("action", "oom", "size", 1L << 50));
    List<?> segments =
        List.of(
            Map.of(
                "device",
                0,
                "address",
                4096,
                "total_size",
                1 << 20,
                "blocks",
                List.of(Map.of("size", 512, "state", "active_allocated"))));
    return PickleWriter.pickle(
        protocol, Map.of("segments", segments, "device_traces", List.of(events)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("traces")
  void aDamagedTraceIsReadOrRefused(TraceFormat format, byte[] whole) throws IOException {
    assertThat(Rows.of(whole).format()).isEqualTo(format);
    Random random = new Random(format.name().hashCode());
    for (int i = 0; i < TRIES; i++) {
      byte[] bad = damaged(whole, random);
      read(bad, ReadOptions.DEFAULT);
      read(bad, ReadOptions.DEFAULT.withFormat(format));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("traces")
  void aDamagedPackedTraceIsReadOrRefused(TraceFormat format, byte[] whole) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(whole);
    }
    Random random = new Random(format.name().hashCode());
    for (byte[] packed : List.of(out.toByteArray(), Zstd.compress(whole))) {
      assertThat(Rows.of(packed).format()).isEqualTo(format);
      for (int i = 0; i < TRIES; i++) {
        read(damaged(packed, random), ReadOptions.DEFAULT);
      }
    }
  }

  /** Cut off, or with some bytes or a stretch of them replaced. */
  private static byte[] damaged(byte[] whole, Random random) {
    byte[] bad =
        Arrays.copyOf(whole, random.nextInt(3) == 0 ? random.nextInt(whole.length) : whole.length);
    for (int i = random.nextInt(4); i > 0 && bad.length > 0; i--) {
      int place = random.nextInt(bad.length);
      switch (random.nextInt(4)) {
        case 0 -> bad[place] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bad[place] = (byte) random.nextInt();
        case 2 -> bad[place] = (byte) TOKENS.charAt(random.nextInt(TOKENS.length()));
        default ->
            System.arraycopy(
                whole,
                random.nextInt(whole.length - (bad.length - place) + 1),
                bad,
                place,
                bad.length - place);
      }
    }
    return bad;
  }

  private static void read(byte[] bad, ReadOptions options) throws IOException {
    for (TraceFaults faults : List.of(TraceFaults.strict("t"), TraceFaults.lenient("t"))) {
      try {
        Rows.of(bad, options, faults);
      } catch (TraceException e) {
        assertThat(e).hasMessageStartingWith("t:");
      }
    }
  }
}
