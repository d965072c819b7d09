package io.cistern.benchmarks.peers;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.Storage;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.memory.RootAllocator;
import org.lwjgl.util.vma.Vma;

/** What is measured side by side. */
@SuppressWarnings("ImmutableEnumChecker") // Functions without state.
public enum Allocator {
  SHARED_LONGS("Cistern, shared, longs", Threads.MANY, CisternManager::sharedLongs),
  SHARED_OBJECTS("Cistern, shared, objects", Threads.MANY, CisternManager::sharedObjects),
  CONFINED_LONGS("Cistern, confined, longs", Threads.ONE, CisternManager::confinedLongs),
  CONFINED_OBJECTS("Cistern, confined, objects", Threads.ONE, CisternManager::confinedObjects),
  NETTY_POOLED(
      "Netty pooled",
      Threads.MANY,
      NettyBuffers::pooled,
      () -> "Netty " + jarVersion(ByteBufAllocator.class, "netty-buffer")),
  NETTY_ADAPTIVE("Netty adaptive", Threads.MANY, NettyBuffers::adaptive, () -> ""),
  ARROW(
      "Arrow unsafe",
      Threads.MANY,
      ArrowBuffers::new,
      () -> "Arrow " + jarVersion(RootAllocator.class, "arrow-memory-core")),
  ARENA("Arena.ofConfined", Threads.EACH_ITS_OWN, ConfinedArenas::new, () -> ""),
  GLIBC(Malloc.GLIBC),
  JEMALLOC(Malloc.JEMALLOC),
  MIMALLOC(Malloc.MIMALLOC),
  VMA(
      "VMA virtual block",
      Threads.ONE,
      VirtualBlock::new,
      () -> "VMA of lwjgl-vma " + jarVersion(Vma.class, "lwjgl-vma"));

  /** How threads may use an allocator. */
  public enum Threads {
    /** One thread at a time uses the whole. */
    ONE,
    /** Each frees what it allocated itself. */
    EACH_ITS_OWN,
    /** Any frees what another allocated. */
    MANY
  }

  private interface Opening {
    Peer on(Storage storage, MemoryPoolsConfig pools);
  }

  private final String title;
  private final Threads threads;
  private final boolean ours;
  private final Opening open;
  private final Supplier<String> version;
  private final Supplier<Optional<String>> whyNot;

  /** Cistern. */
  Allocator(String title, Threads threads, Opening open) {
    this.title = title;
    this.threads = threads;
    this.ours = true;
    this.open = open;
    this.version = () -> "";
    this.whyNot = Optional::empty;
  }

  Allocator(
      String title, Threads threads, Supplier<? extends Peer> open, Supplier<String> version) {
    this(title, threads, open, version, Optional::empty);
  }

  Allocator(Malloc library) {
    this(library.title(), Threads.MANY, library::open, library::version, library::whyNot);
  }

  Allocator(
      String title,
      Threads threads,
      Supplier<? extends Peer> open,
      Supplier<String> version,
      Supplier<Optional<String>> whyNot) {
    this.title = title;
    this.threads = threads;
    this.ours = false;
    this.open = (_, _) -> open.get();
    this.version = version;
    this.whyNot = whyNot;
  }

  /** The version that a jar's name ends with. */
  private static String jarVersion(Class<?> type, String artifact) {
    String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
    return jar.replaceFirst(".*/" + artifact + "-(.*)\\.jar", "$1");
  }

  /** Cistern's fastest way that every thread may use. */
  public static Allocator fastPath() {
    return SHARED_LONGS;
  }

  /** How tables name it. */
  public String title() {
    return title;
  }

  /** How threads may use it. */
  public Threads threads() {
    return threads;
  }

  /** Whether it is Cistern. */
  public boolean isOurs() {
    return ours;
  }

  /** All others. */
  public static List<Allocator> peers() {
    return Arrays.stream(values()).filter(one -> !one.isOurs()).toList();
  }

  /** The library and its version; empty if it is said elsewhere. */
  public String version() {
    return version.get();
  }

  /** Why it can't be measured on this machine; empty if it can. */
  public Optional<String> whyNot() {
    return whyNot.get();
  }

  /**
   * Opens it.
   *
   * @param storage the device for Cistern; the caller closes it after the peer
   * @param pools the pools of Cistern
   */
  public Peer open(Storage storage, MemoryPoolsConfig pools) {
    return open.on(storage, pools);
  }
}
