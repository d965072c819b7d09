package io.cistern.benchmarks.peers;

import java.lang.foreign.Arena;
import java.util.OptionalLong;

/** The JDK: an arena for each allocation, since nothing smaller can be freed. */
final class ConfinedArenas implements Peer {

  private final OptionalLong before = Malloc.GLIBC.heldBytes();

  @Override
  public Slots slots(int count) {
    return new ArenaSlots(count);
  }

  /** The JDK takes its memory from the C library. */
  @Override
  public OptionalLong heldBytes() {
    return Malloc.GLIBC.heldBytesSince(before);
  }

  @Override
  public void close() {}

  private static final class ArenaSlots extends Slots {
    private final Arena[] arenas;

    ArenaSlots(int count) {
      this.arenas = new Arena[count];
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // free closes it.
    public void allocate(int slot, long byteSize) {
      Arena arena = Arena.ofConfined();
      arena.allocate(byteSize);
      arenas[slot] = arena;
    }

    @Override
    public void free(int slot) {
      arenas[slot].close();
    }
  }
}
