package io.cistern.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Memory of another source, for which the system is asked more; all of it, or none is given. */
final class AdvisedPages implements PageSource {

  private final PageSource pages;
  private final List<PageAdvice> advice;
  private final long pageByteSize;

  /**
   * Makes the source.
   *
   * @param pages where memory comes from
   * @param advice what is asked for it, in this order
   */
  AdvisedPages(PageSource pages, List<PageAdvice> advice) {
    this.pages = pages;
    this.advice = List.copyOf(advice);
    long largest = pages.pageByteSize();
    for (PageAdvice each : advice) {
      largest = Math.max(largest, each.pageByteSize());
    }
    pageByteSize = largest;
  }

  @Override
  public long pageByteSize() {
    return pageByteSize;
  }

  @Override
  public MemorySegment reserve(long byteSize, long byteAlignment, Arena arena) throws OsRefusal {
    MemorySegment segment = pages.reserve(byteSize, Math.max(byteAlignment, pageByteSize), arena);
    try {
      // What was mapped, which may end before a multiple of the largest page.
      long mapped = MappedPages.roundUp(byteSize, pages.pageByteSize());
      for (PageAdvice each : advice) {
        each.apply(segment.address(), mapped);
      }
      return segment;
    } catch (OsRefusal | RuntimeException e) {
      giveBackAfter(e, segment);
      throw e;
    }
  }

  private void giveBackAfter(Exception failure, MemorySegment segment) {
    try {
      pages.giveBack(segment.address(), segment.byteSize());
    } catch (OsRefusal e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void giveBack(long address, long byteSize) throws OsRefusal {
    pages.giveBack(address, byteSize);
  }
}
