package io.cistern.benchmarks.peers;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.OptionalLong;

/** Libraries with a {@code malloc}, called by critical downcalls with plain addresses. */
enum Malloc {
  GLIBC("glibc malloc", "malloc", "free") {
    @Override
    SymbolLookup load() {
      return Linker.nativeLinker().defaultLookup();
    }

    @Override
    String askVersion() throws Throwable {
      MethodHandle version = function("gnu_get_libc_version", FunctionDescriptor.of(ADDRESS));
      return "glibc " + text((MemorySegment) version.invokeExact());
    }

    @Override
    long askHeldBytes(Arena arena) throws Throwable {
      StructLayout fields = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(10, JAVA_LONG));
      MethodHandle info = function("mallinfo2", FunctionDescriptor.of(fields));
      MemorySegment told = (MemorySegment) info.invokeExact((SegmentAllocator) arena);
      long heaps = told.getAtIndex(JAVA_LONG, 0);
      long mappedOneByOne = told.getAtIndex(JAVA_LONG, 4);
      return heaps + mappedOneByOne;
    }
  },

  JEMALLOC("jemalloc", "malloc", "free") {
    @Override
    SymbolLookup load() {
      return library("libjemalloc.so.2");
    }

    @Override
    String askVersion() throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment version = arena.allocate(ADDRESS);
        control(arena, "version", version, MemorySegment.NULL);
        return "jemalloc " + text(version.get(ADDRESS, 0)).replaceFirst("-.*", "");
      }
    }

    @Override
    long askHeldBytes(Arena arena) throws Throwable {
      MemorySegment number = arena.allocate(JAVA_LONG);
      number.set(JAVA_LONG, 0, 1);
      // Figures are of the moment at which the epoch was last set.
      control(arena, "epoch", MemorySegment.NULL, number);
      control(arena, "stats.resident", number, MemorySegment.NULL);
      return number.get(JAVA_LONG, 0);
    }

    private void control(Arena arena, String name, MemorySegment read, MemorySegment write)
        throws Throwable {
      MethodHandle control =
          function(
              "mallctl",
              FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
      int error =
          (int)
              control.invokeExact(
                  arena.allocateFrom(name),
                  read,
                  arena.allocateFrom(JAVA_LONG, read.byteSize()),
                  write,
                  write.byteSize());
      if (error != 0) {
        throw new IllegalStateException("mallctl " + name + ": error " + error);
      }
    }
  },

  MIMALLOC("mimalloc", "mi_malloc", "mi_free") {
    @Override
    SymbolLookup load() {
      return library("libmimalloc.so.2");
    }

    @Override
    String askVersion() throws Throwable {
      int number = (int) function("mi_version", FunctionDescriptor.of(JAVA_INT)).invokeExact();
      return "mimalloc " + number / 100 + "." + number / 10 % 10 + "." + number % 10;
    }

    @Override
    long askHeldBytes(Arena arena) throws Throwable {
      MethodHandle info =
          function(
              "mi_process_info",
              FunctionDescriptor.ofVoid(
                  ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
      MemorySegment none = MemorySegment.NULL;
      MemorySegment committed = arena.allocate(JAVA_LONG);
      info.invokeExact(none, none, none, none, none, committed, none, none);
      return committed.get(JAVA_LONG, 0);
    }
  };

  private final String title;
  private final String malloc;
  private final String free;

  Malloc(String title, String malloc, String free) {
    this.title = title;
    this.malloc = malloc;
    this.free = free;
  }

  String title() {
    return title;
  }

  /** The system loads a library once, however often it is asked to. */
  abstract SymbolLookup load();

  abstract String askVersion() throws Throwable;

  abstract long askHeldBytes(Arena arena) throws Throwable;

  @SuppressWarnings("restricted") // The library is the peer.
  static SymbolLookup library(String name) {
    return SymbolLookup.libraryLookup(name, Arena.global());
  }

  @SuppressWarnings("restricted") // A string that the library keeps.
  private static String text(MemorySegment address) {
    return address.reinterpret(256).getString(0);
  }

  @SuppressWarnings("restricted") // Types are those of the library's headers.
  MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(load().findOrThrow(name), type, options);
  }

  /** Why the library can't be used; empty if it can. */
  Optional<String> whyNot() {
    try {
      load();
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  String version() {
    try {
      return askVersion();
    } catch (Throwable e) {
      throw new IllegalStateException("the version of " + this, e);
    }
  }

  /** What the library took from the system and did not give back. */
  OptionalLong heldBytes() {
    try (Arena arena = Arena.ofConfined()) {
      return OptionalLong.of(askHeldBytes(arena));
    } catch (Throwable e) {
      throw new IllegalStateException("the figures of " + this, e);
    }
  }

  OptionalLong heldBytesSince(OptionalLong before) {
    return OptionalLong.of(heldBytes().getAsLong() - before.getAsLong());
  }

  Peer open() {
    Linker.Option critical = Linker.Option.critical(false);
    var slots =
        MallocSlots.of(
            function(malloc, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), critical),
            function(free, FunctionDescriptor.ofVoid(JAVA_LONG), critical));
    OptionalLong before = heldBytes();
    return new Peer() {
      @Override
      public Slots slots(int count) {
        return slots.apply(count);
      }

      @Override
      public OptionalLong heldBytes() {
        return heldBytesSince(before);
      }

      @Override
      public void close() {}
    };
  }
}
