package io.cistern.trace.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.trace.picture.Curves.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurvesTest {

  private record Row(
      long time, long inUse, long padding, long reservedLow, long reservedHigh, long recorded) {

    long low(Series series) {
      return series == Series.RESERVED ? reservedLow : high(series);
    }

    long high(Series series) {
      return switch (series) {
        case RESERVED -> reservedHigh;
        case IN_USE -> inUse;
        case PADDING -> padding;
        case RECORDED -> recorded;
      };
    }
  }

  private static List<Row> random(long seed, int count) {
    Random random = new Random(seed);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long reserved = random.nextLong(1L << 40);
      rows.add(
          new Row(
              1 + i * 3L,
              random.nextLong(1L << 40),
              random.nextInt(1000),
              reserved,
              reserved + random.nextInt(1000),
              random.nextInt(3) == 0 ? random.nextLong(1L << 40) : -1));
    }
    return rows;
  }

  private static Curves of(List<Row> rows) {
    Curves curves = new Curves();
    for (Row row : rows) {
      curves.add(row.time, row.inUse, row.padding, row.reservedLow, row.reservedHigh, row.recorded);
    }
    return curves;
  }

  /** Around each number of rows at which buckets merge. */
  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 1000, 4095, 4096, 4097, 8191, 8192, 8193, 16_383, 16_384, 16_385, 100_003})
  void everyBucketHasTheExtremesOfItsRows(int count) {
    long seed = Long.getLong("cistern.seed", count);
    List<Row> rows = random(seed, count);
    Curves curves = of(rows);
    assertThat(curves.rows()).isEqualTo(count);
    assertThat(curves.buckets()).isLessThanOrEqualTo(Curves.CAPACITY);
    assertThat(curves.buckets()).isGreaterThanOrEqualTo(Math.min(count, Curves.CAPACITY / 2));
    int width = (int) curves.rowsPerBucket();
    for (int bucket = 0; bucket < curves.buckets(); bucket++) {
      List<Row> those = rows.subList(bucket * width, Math.min(count, (bucket + 1) * width));
      for (Series series : Series.values()) {
        assertThat(curves.highest(series, bucket))
            .as("seed %s, %s, bucket %s", seed, series, bucket)
            .isEqualTo(those.stream().mapToLong(row -> row.high(series)).max().orElseThrow());
        assertThat(curves.lowest(series, bucket))
            .as("seed %s, %s, bucket %s", seed, series, bucket)
            .isEqualTo(
                those.stream()
                    .mapToLong(row -> row.low(series))
                    .filter(value -> value >= 0)
                    .min()
                    .orElse(-1));
      }
      assertThat(curves.timeMicros(bucket)).isEqualTo(those.getLast().time);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4097, 50_000})
  void peaksAreExactAndAtTheFirstRowThatHasThem(int count) {
    List<Row> rows = random(count, count);
    Curves curves = of(rows);
    for (Series series : Series.values()) {
      long peak = rows.stream().mapToLong(row -> row.high(series)).max().orElseThrow();
      assertThat(curves.peak(series)).isEqualTo(peak);
      assertThat(curves.has(series)).isEqualTo(peak >= 0);
      long first = 1L + rows.stream().map(row -> row.high(series)).toList().indexOf(peak);
      assertThat(curves.peakRow(series)).isEqualTo(peak < 0 ? 0 : first);
    }
  }

  @Test
  void whatIsNotRecordedHasNoCurve() {
    Curves curves = of(List.of(new Row(0, 5, 1, 8, 8, -1)));
    assertThat(curves.has(Series.RECORDED)).isFalse();
    assertThat(curves.has(Series.IN_USE)).isTrue();
    assertThat(curves.hasTimes()).isFalse();
  }

  @Test
  void timesAreShownUnlessThereIsNoClock() {
    Curves curves = of(List.of(new Row(7, 5, 1, 8, 8, -1)));
    assertThat(curves.hasTimes()).isTrue();
    curves.dropTimes();
    assertThat(curves.hasTimes()).isFalse();
  }
}
