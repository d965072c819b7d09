package io.cistern.host;

import io.cistern.host.HostMemoryOptions.HugePages;
import java.util.ArrayList;
import java.util.List;

/** Puts the source together that gives memory as it is wanted. */
final class PageSources {

  private PageSources() {}

  /**
   * A source.
   *
   * @throws IllegalArgumentException if the system can't do what is wanted; names that, and what
   *     there is instead
   */
  static PageSource of(HostMemoryOptions wanted, HostSystem system) {
    checkSystem(wanted, system);
    if (!MappedPages.isSupported(system)) {
      // The JDK touches all that it gives.
      return new ArenaPages();
    }
    PageSource pages =
        wanted.hugePages() == HugePages.EXPLICIT
            ? new ExplicitHugePages(system)
            : new MappedPages();
    List<PageAdvice> advice = advice(wanted, system, pages.pageByteSize());
    return advice.isEmpty() ? pages : new AdvisedPages(pages, advice);
  }

  private static void checkSystem(HostMemoryOptions wanted, HostSystem system) {
    if (wanted.pinned() && !MappedPages.isSupported(system)) {
      throw HostErrors.notHere(HostMemoryOptions.PINNED, "Linux or macOS", system);
    }
    if (!system.isLinux() && wanted.hugePages() != HugePages.NONE) {
      throw HostErrors.notHere(HostMemoryOptions.HUGE_PAGES, "Linux", system);
    }
    if (!system.isLinux() && wanted.numaNode().isPresent()) {
      throw HostErrors.notHere(HostMemoryOptions.NUMA_NODE, "Linux", system);
    }
  }

  /** Where memory is to come from stands before what makes it real. */
  private static List<PageAdvice> advice(
      HostMemoryOptions wanted, HostSystem system, long pageByteSize) {
    List<PageAdvice> advice = new ArrayList<>();
    if (wanted.numaNode().isPresent()) {
      advice.add(new PreferredNode(system, wanted.numaNode().getAsInt()));
    }
    if (wanted.hugePages() == HugePages.TRANSPARENT) {
      advice.add(new TransparentHugePages(system));
    }
    boolean real = wanted.pinned() || wanted.preTouch();
    if (real && wanted.hugePages() != HugePages.EXPLICIT) {
      advice.add(new EnoughMemory(system.files()));
    }
    if (wanted.pinned()) {
      advice.add(new PinnedMemory(system));
    }
    if (wanted.preTouch()) {
      advice.add(TouchedMemory.of(system, pageByteSize));
    }
    return advice;
  }
}
