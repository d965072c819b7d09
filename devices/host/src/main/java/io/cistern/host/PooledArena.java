package io.cistern.host;

import io.cistern.AllocationException;
import io.cistern.manager.MemoryManager;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An arena whose segments come from a manager's pools, and go back to them together when it is
 * closed.
 *
 * <p>Segments have the arena's own scope: after the close they throw, though the page that they
 * were part of lives on. Exceptions are those of the JDK's arenas. Unlike theirs its memory is not
 * zeroed: it holds what its last owner left there.
 *
 * <p>{@linkplain #ofConfined Confined} arenas belong to the thread that made them, which alone may
 * allocate, access and close; {@linkplain #ofShared shared} ones are for all threads, and take some
 * 10 µs or more to close.
 *
 * @apiNote It is to be closed before the manager. If it is not, its segments stay valid, and their
 *     pages stay out until the arena and the storage are both closed.
 */
public final class PooledArena implements Arena {

  private final Arena arena;
  private final PooledAllocator allocator;

  private PooledArena(MemoryManager manager, Arena arena) {
    this.arena = arena;
    this.allocator = PooledAllocator.of(manager, arena);
  }

  /**
   * Opens an arena for the current thread.
   *
   * @param manager whose pools serve; its storage is a {@link HostStorage}, or adaptors around one
   * @throws IllegalArgumentException if the manager's device has no host access
   */
  @SuppressWarnings("MustBeClosedChecker") // Closed with this.
  public static PooledArena ofConfined(MemoryManager manager) {
    return new PooledArena(manager, Arena.ofConfined());
  }

  /**
   * Opens an arena for all threads.
   *
   * @param manager whose pools serve; its storage is a {@link HostStorage}, or adaptors around one
   * @throws IllegalArgumentException if the manager's device has no host access
   */
  @SuppressWarnings("MustBeClosedChecker") // Closed with this.
  public static PooledArena ofShared(MemoryManager manager) {
    return new PooledArena(manager, Arena.ofShared());
  }

  /**
   * Takes a segment from the pools.
   *
   * @param byteSize the size in bytes, at least 0; an empty segment takes nothing from the pools
   *     and shares its address with others
   * @param byteAlignment what the address is a multiple of, in bytes: a power of two up to the
   *     device's block alignment, which is the system's page or more
   * @return a segment of exactly that size with this arena's scope, its content undefined
   * @throws IllegalArgumentException if the size is negative, the alignment is no power of two or
   *     above the device's block alignment, or the manager's blocks are no {@link HostBlock}
   * @throws IllegalStateException if this arena or the manager is closed
   * @throws WrongThreadException if this arena is confined to another thread
   * @throws OutOfMemoryError if the manager refuses, its {@link AllocationException} as the cause;
   *     nothing changed
   */
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return allocator.allocate(byteSize, byteAlignment);
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  /**
   * Ends all segments and gives their memory back to the pools.
   *
   * @throws IllegalStateException if this arena is closed already, or a native call is being made
   *     with one of its segments; then everything stays valid
   * @throws WrongThreadException if this arena is confined to another thread
   */
  @Override
  public void close() {
    arena.close();
  }
}
