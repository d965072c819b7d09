package io.cistern.trace.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.MemorySize;
import io.cistern.OutOfDeviceMemoryException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.jfr.MemoryFlightRecorder;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.SimulatedStorage;
import io.cistern.trace.ReadOptions;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts.Count;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceFormat;
import io.cistern.trace.TraceReader;
import io.cistern.trace.file.Rows;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings are real ones, of real allocators. */
class JfrTraceTest {

  private static final String DIRECT = "netty-direct";
  private static final String HEAP = "netty-heap";

  @TempDir private Path folder;

  private static Rows read(byte[] recording, String device) throws IOException {
    return Rows.of(recording, ReadOptions.DEFAULT.withDevice(device), TraceFaults.strict("t"));
  }

  private static TraceException fault(byte[] recording) {
    return catchThrowableOfType(TraceException.class, () -> Rows.of(recording));
  }

  private static List<String> withoutTimes(Rows rows) {
    return rows.rows().stream().map(row -> row.replaceAll(" \\d+ \\d+$", "")).toList();
  }

  /** Two arenas at most, so that chunks are shared. */
  private static PooledByteBufAllocator pooled() {
    return new PooledByteBufAllocator(true, 1, 1, 8192, 3, 256, 64, true);
  }

  @ParameterizedTest
  @ValueSource(strings = {DIRECT, HEAP})
  void aBufferThatMovesIsAllocatedAnewAndThenFreed(String device) throws IOException {
    byte[] recording =
        JfrRecordings.during(
            JfrRecordings.NETTY,
            () -> {
              ByteBufAllocator netty = pooled();
              boolean direct = device.equals(DIRECT);
              ByteBuf one = direct ? netty.directBuffer(1000) : netty.heapBuffer(1000);
              ByteBuf two = direct ? netty.directBuffer(77) : netty.heapBuffer(77);
              one.capacity(5000);
              two.release();
              one.release();
            });
    Rows rows = Rows.of(recording);
    assertThat(rows.format()).isEqualTo(TraceFormat.JFR);
    assertThat(withoutTimes(rows))
        .containsExactly(
            "alloc 0 1000",
            "alloc 1 77",
            "alloc 2 5000",
            "free 0 1000",
            "free 1 77",
            "free 2 5000");
    assertThat(rows.facts().device().orElseThrow().name()).isEqualTo(device);
    assertThat(rows.facts().device().orElseThrow().events()).isEqualTo(6);
    assertThat(rows.facts().threads()).hasSize(1);
    assertThat(rows.facts().notes().isEmpty()).isEqualTo(hasAddresses(device));
  }

  /** Where there are none off the heap either, kinds serve there too. */
  private static boolean hasAddresses(String device) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(1);
    try {
      return device.equals(DIRECT) && buffer.hasMemoryAddress();
    } finally {
      buffer.release();
    }
  }

  /** A free repeats the size of the allocation, though the buffer got another in its place. */
  @Test
  void aBufferThatGrowsInItsPlaceKeepsItsRow() throws IOException {
    byte[] recording =
        JfrRecordings.during(
            JfrRecordings.NETTY,
            () -> {
              ByteBuf buffer = pooled().directBuffer(1000);
              buffer.capacity(1010);
              buffer.release();
            });
    assertThat(withoutTimes(Rows.of(recording))).containsExactly("alloc 0 1000", "free 0 1000");
  }

  @Test
  void whatAllocatorsDoAndHoldIsTold() throws IOException {
    Random random = new Random(5);
    PooledByteBufAllocator netty = pooled();
    List<Long> sizes = new ArrayList<>();
    long[] liveAndPeak = new long[2];
    AtomicLong held = new AtomicLong();
    byte[] recording =
        JfrRecordings.during(
            JfrRecordings.NETTY,
            () -> {
              List<ByteBuf> live = new ArrayList<>();
              for (int i = 0; i < 3000; i++) {
                if (live.size() > 50 || (random.nextBoolean() && !live.isEmpty())) {
                  ByteBuf freed = live.remove(random.nextInt(live.size()));
                  liveAndPeak[0] -= freed.capacity();
                  freed.release();
                } else {
                  ByteBuf made = netty.directBuffer(1 << random.nextInt(23));
                  live.add(made);
                  sizes.add((long) made.capacity());
                  liveAndPeak[0] += made.capacity();
                  liveAndPeak[1] = Math.max(liveAndPeak[1], liveAndPeak[0]);
                  held.accumulateAndGet(netty.metric().usedDirectMemory(), Math::max);
                }
              }
              live.forEach(ByteBuf::release);
            });
    Rows rows = read(recording, DIRECT);
    List<Long> read = new ArrayList<>();
    long live = 0;
    long peak = 0;
    for (String row : rows.rows()) {
      String[] words = row.split(" ", -1);
      long byteSize = Long.parseLong(words[2]);
      if (words[0].equals("alloc")) {
        read.add(byteSize);
      }
      live += words[0].equals("alloc") ? byteSize : -byteSize;
      peak = Math.max(peak, live);
    }
    assertThat(read).isEqualTo(sizes);
    assertThat(live).isZero();
    assertThat(peak).isEqualTo(liveAndPeak[1]);
    assertThat(Collections.max(rows.reserved())).isEqualTo(held.get());
  }

  @Test
  void framesOfManyThreadsMeet() throws IOException, InterruptedException {
    PooledByteBufAllocator netty = pooled();
    byte[] recording =
        JfrRecordings.during(
            JfrRecordings.NETTY,
            () -> {
              try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                CountDownLatch done = new CountDownLatch(4);
                List<ByteBuf> left = Collections.synchronizedList(new ArrayList<>());
                for (int thread = 0; thread < 4; thread++) {
                  int seed = thread;
                  threads.execute(
                      () -> {
                        Random random = new Random(seed);
                        for (int i = 0; i < 2000; i++) {
                          ByteBuf made = netty.directBuffer(1 + random.nextInt(20_000));
                          if (i % 4 == 0) {
                            left.add(made);
                          } else {
                            made.release();
                          }
                        }
                        done.countDown();
                        for (int i = 0; i < 500; i++) {
                          left.removeLast().release();
                        }
                      });
                }
              }
            });
    Rows rows = read(recording, DIRECT);
    assertThat(rows.rows()).hasSize(16_000);
    assertThat(rows.facts().threads()).hasSize(4);
    assertThat(rows.facts().count(Count.BEFORE_ALLOCATIONS)).isZero();
  }

  @Test
  void whatIsOlderThanTheRecordingStandsInFront() throws IOException {
    ByteBufAllocator netty = pooled();
    ByteBuf old = netty.directBuffer(300);
    ByteBuf oldOnHeap = netty.heapBuffer(400);
    byte[] recording =
        JfrRecordings.during(
            JfrRecordings.NETTY,
            () -> {
              ByteBuf one = netty.directBuffer(1000);
              old.release();
              one.release();
              netty.heapBuffer(50).release();
              oldOnHeap.release();
            });
    for (String device : List.of(DIRECT, HEAP)) {
      Rows rows = read(recording, device);
      assertThat(rows.rows()).hasSize(4);
      assertThat(rows.facts().count(Count.BEFORE_ALLOCATIONS)).isEqualTo(1);
      assertThat(rows.facts().count(Count.BEFORE_BYTES)).isEqualTo(device.equals(HEAP) ? 400 : 300);
      // The chunk is as old, and its size is not told.
      assertThat(rows.reserved()).containsOnly(TraceReader.UNKNOWN);
    }
  }

  @Test
  void requestsOfCisternAreRead() throws IOException {
    AtomicLong held = new AtomicLong();
    byte[] recording =
        JfrRecordings.during(
            List.of(
                "io.cistern.Served",
                "io.cistern.Released",
                "io.cistern.Refused",
                "io.cistern.PageMade",
                "io.cistern.PageGivenBack"),
            () -> {
              try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofKiB(100));
                  MemoryManager manager = manager(device, MemoryFlightRecorder.full("weights"))) {
                Allocation one = manager.allocate(1000);
                Allocation two = manager.allocate(20_000);
                assertThat(
                        catchThrowableOfType(
                            OutOfDeviceMemoryException.class, () -> manager.allocate(90_000)))
                    .isNotNull();
                two.close();
                one.close();
                held.set(manager.usage().reservedPeak().bytes());
              }
            });
    Rows rows = Rows.of(recording);
    assertThat(withoutTimes(rows))
        .containsExactly("alloc 0 1000", "alloc 1 20000", "free 1 20000", "free 0 1000");
    assertThat(rows.facts().device().orElseThrow().name()).isEqualTo("cistern:weights");
    assertThat(rows.facts().firstFailure().orElseThrow().byteSize()).isEqualTo(90_000);
    assertThat(Collections.max(rows.reserved())).isEqualTo(held.get());
    assertThat(rows.facts().notes()).hasSize(1);
  }

  private static MemoryManager manager(SimulatedStorage device, MemoryFlightRecorder recorder) {
    return MemoryManager.builder(device)
        .pools(
            MemoryPoolsConfig.of(
                MemoryPoolConfig.sliced(MemorySize.ofKiB(16)), MemoryPoolConfig.direct()))
        .listener(recorder)
        .open();
  }

  @Test
  void whatTellsNoRequestsIsRefused() {
    byte[] pages =
        JfrRecordings.during(
            List.of("io.cistern.PageMade"),
            () -> {
              try (SimulatedStorage device = SimulatedStorage.withCapacity(MemorySize.ofKiB(100));
                  MemoryManager manager = manager(device, MemoryFlightRecorder.basic("m"))) {
                manager.allocate(10).close();
              }
            });
    assertThat(fault(pages))
        .hasMessage(
            "t:1: the 1 events by Cistern are not of requests: MemoryFlightRecorder.full records"
                + " these, as io.cistern.Served and io.cistern.Released");
    assertThat(fault(JfrRecordings.during(List.of(), () -> {})))
        .hasMessageStartingWith("t:1: there is no event of an allocator among ")
        .hasMessageEndingWith("must be enabled in the recording");
  }

  @Test
  void aRecordingIsReplayedPackedOrNot() throws IOException {
    byte[] recording = recording(200);
    Path plain = Files.write(folder.resolve("plain"), recording);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(recording);
    }
    Path gzip = Files.write(folder.resolve("packed"), packed.toByteArray());
    ReplayReport.Figures figures = replay(plain);
    assertThat(figures.allocations()).isEqualTo(200);
    assertThat(figures.frees()).isEqualTo(200);
    assertThat(figures.recorded().orElseThrow().peakReserved()).isPositive();
    assertThat(replay(gzip)).isEqualTo(figures);
  }

  private static ReplayReport.Figures replay(Path file) throws IOException {
    return Replay.of(file)
        .devices(() -> SimulatedStorage.withCapacity(MemorySize.ofMiB(64)))
        .pools(MemoryPoolsConfig.Preset.SUB_SLICES)
        .build()
        .run()
        .figures();
  }

  private static byte[] recording(int buffers) {
    return JfrRecordings.during(
        JfrRecordings.NETTY,
        () -> {
          PooledByteBufAllocator netty = pooled();
          for (int i = 0; i < buffers; i++) {
            netty.directBuffer(i).release();
          }
        });
  }

  @Test
  void recordingsOneBehindTheOtherAreRead() throws IOException {
    byte[] one = recording(3);
    byte[] next = recording(3);
    byte[] both = Arrays.copyOf(one, one.length + next.length);
    System.arraycopy(next, 0, both, one.length, next.length);
    assertThat(Rows.of(both).rows()).hasSize(12);
    byte[] more = Arrays.copyOf(one, one.length + 5);
    assertThat(fault(more))
        .hasMessage(
            "t: byte offset "
                + one.length
                + ": no chunk of a Flight Recorder recording begins here");
    TraceFaults lenient = TraceFaults.lenient("t");
    assertThat(Rows.of(more, ReadOptions.DEFAULT, lenient).rows()).hasSize(6);
    assertThat(lenient.problems()).hasSize(1);
  }

  @Test
  void whatWasNotFinishedIsRefused() {
    byte[] recording = recording(3);
    recording[64] = 7;
    assertThat(fault(recording))
        .hasMessage(
            "t: byte offset 0: the recording was not finished: its program wrote to it, or broke"
                + " off");
  }

  /**
   * Wherever it is cut off, or whichever byte is another, a reading ends, with rows or one error.
   */
  @Test
  void aDamagedRecordingIsReadOrRefused() throws IOException {
    byte[] whole = recording(20);
    Random random = new Random(11);
    for (int i = 0; i < 100; i++) {
      byte[] cut = Arrays.copyOf(whole, random.nextInt(whole.length));
      if (cut.length >= 4) {
        assertThat(fault(cut)).hasMessageContaining("cut off");
      }
    }
    for (int i = 0; i < 300; i++) {
      byte[] bad = whole.clone();
      // The header and what follows it, more often than the rest.
      int place = random.nextInt(i % 3 == 0 ? 500 : bad.length);
      bad[place] ^= (byte) (1 << random.nextInt(8));
      try {
        Rows.of(bad, ReadOptions.DEFAULT, TraceFaults.lenient("t"));
      } catch (TraceException e) {
        assertThat(e).hasMessageStartingWith("t:");
      }
    }
  }
}
