package io.cistern.trace.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.trace.picture.MemoryMap.Moment;
import io.cistern.trace.picture.MemoryMap.PageGroup;
import io.cistern.trace.picture.MemoryMap.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MomentBuilderTest {

  private record Slice(long offset, long size) {}

  private record Page(int pool, long size, boolean whole, List<Slice> slices) {}

  private static long aligned(long size) {
    return (size + 255) & -256;
  }

  /** A tag for each size, as if each were asked for in one place. */
  private static int tag(long byteSize) {
    return (int) byteSize;
  }

  private static Moment build(List<Page> pages) {
    MomentBuilder builder =
        new MomentBuilder(
            pages.stream().mapToLong(Page::size).sum(),
            pages.size(),
            pages.stream().mapToLong(page -> page.slices.size()).sum());
    int number = 0;
    for (Page page : pages) {
      builder.page(++number, page.pool, page.size, page.whole);
      page.slices.forEach(
          slice -> builder.slice(slice.offset, slice.size, aligned(slice.size), tag(slice.size)));
    }
    return builder.end(17, 4);
  }

  @Test
  void fewPartsAreToldEachByItself() {
    Moment moment =
        build(
            List.of(
                new Page(0, 4096, false, List.of(new Slice(256, 1000), new Slice(1280, 512))),
                new Page(1, 2048, true, List.of(new Slice(0, 1000))),
                new Page(1, 2048, true, List.of())));
    assertThat(moment.runs())
        .containsExactly(
            new Run(256, MemoryMap.FREE, MemoryMap.NO_TAG, 0, 0, true),
            new Run(1024, 9, 1000, 1, 1024, true),
            new Run(512, 9, 512, 1, 512, true),
            new Run(2304, MemoryMap.FREE, MemoryMap.NO_TAG, 0, 0, true),
            new Run(1024, 9, 1000, 1, 1024, true),
            new Run(1024, MemoryMap.REST, MemoryMap.NO_TAG, 0, 0, true),
            new Run(2048, MemoryMap.FREE, MemoryMap.NO_TAG, 0, 0, true));
    assertThat(moment.pageGroups())
        .containsExactly(
            new PageGroup(1, 1, 0, 4096, 1512, 2560, 2304, 2),
            new PageGroup(2, 1, 1, 2048, 1000, 0, 0, 1),
            new PageGroup(3, 1, 1, 2048, 0, 2048, 2048, 0));
    assertThat(moment)
        .extracting(
            Moment::row,
            Moment::timeMicros,
            Moment::reserved,
            Moment::inUse,
            Moment::padding,
            Moment::rest,
            Moment::free,
            Moment::largestFree,
            Moment::slices,
            Moment::pages)
        .containsExactly(17L, 4L, 8192L, 2512L, 48L, 1024L, 4608L, 2304L, 3L, 3L);
  }

  @Test
  void aStretchOfManySlicesHasTheTagWithMostBytes() {
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      slices.add(new Slice(256L * i, i % 3 == 0 ? 200 : 100));
    }
    Moment moment = build(List.of(new Page(0, 256 * 3000, false, slices)));
    assertThat(moment.runs()).hasSizeLessThan(MomentBuilder.MOST_RUNS);
    assertThat(moment.runs()).filteredOn(run -> !run.exact()).isNotEmpty();
    assertThat(moment.runs())
        .filteredOn(run -> run.slices() >= 3)
        .extracting(Run::tag)
        .containsOnly(100);
  }

  @ParameterizedTest
  @CsvSource({"1, 100000, 1", "2, 5, 3000", "3, 20, 2000", "4, 0, 5000", "5, 1, 90000"})
  void whateverThereIsTheMomentIsSmallAndItsSumsAreExact(long seed, int slices, int pages) {
    Random random = new Random(seed);
    List<Page> all = new ArrayList<>();
    for (int i = 0; i < pages; i++) {
      List<Slice> on = new ArrayList<>();
      long end = 0;
      for (int j = 0; j < slices; j++) {
        end += 256L * random.nextInt(2);
        on.add(new Slice(end, 1 + random.nextInt(random.nextInt(100) == 0 ? 1 << 20 : 2000)));
        end += aligned(on.getLast().size);
      }
      all.add(new Page(i * 5 / pages, end + 256L * (1 + random.nextInt(9)), false, on));
    }
    Moment moment = build(all);
    assertThat(moment.pageGroups().size()).isLessThanOrEqualTo(MomentBuilder.MOST_GROUPS + 5);
    assertThat(moment.runs().size())
        .isLessThanOrEqualTo(MomentBuilder.MOST_RUNS + moment.pageGroups().size());
    long reserved = all.stream().mapToLong(Page::size).sum();
    assertThat(moment.reserved()).isEqualTo(reserved);
    assertThat(moment.runs().stream().mapToLong(Run::byteSize).sum()).isEqualTo(reserved);
    assertThat(moment.pageGroups().stream().mapToLong(PageGroup::byteSize).sum())
        .isEqualTo(reserved);
    assertThat(moment.inUse() + moment.padding() + moment.rest() + moment.free())
        .isEqualTo(reserved);
    assertThat(moment.runs().stream().mapToLong(Run::takenByteSize).sum())
        .isEqualTo(moment.inUse() + moment.padding());
    assertThat(moment.runs().stream().mapToLong(Run::slices).sum())
        .isEqualTo(moment.slices())
        .isEqualTo((long) slices * pages);
    assertThat(moment.pages()).isEqualTo(pages);
  }
}
