package io.cistern.trace.replay;

import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.StorageBlock;
import io.cistern.trace.report.ReplayReport;
import java.util.Optional;

/**
 * Looks at a pass row by row. The time of such a pass is not the pools' alone.
 *
 * <p>Slots are those of {@link ChunkDecoder}.
 */
interface Watching {

  /** A pass begins on a device. */
  default void begins(DeviceProperties device) {}

  /** Whether it wants to know where allocations came from. */
  default boolean wantsOrigins() {
    return false;
  }

  /** A stream has got its manager, which has served nothing yet; rows name it by an index. */
  default void opened(int index, int stream, MemoryManager manager) {}

  /** There will be slots from 0 to below a number. */
  default void makeRoom(int slots) {}

  /** A row was served. */
  void served(Chunk chunk, int row, Allocation handle);

  /** A row was refused. */
  default void refused() {}

  /** An allocation is still live: it is about to be freed, or the trace has ended. */
  default void leaving(int slot, Allocation handle) {}

  /** A row is done, served or not. */
  default void done(Chunk chunk, int row) {}

  /** The driver made a block, for the row under way. */
  default void made(StorageBlock block) {}

  /** A block is going back to the driver. */
  default void givenBack(StorageBlock block) {}

  /** The slices that were found overwritten. */
  default long mismatches() {
    return 0;
  }

  /** The first of them. */
  default Optional<ReplayReport.Mismatch> firstMismatch() {
    return Optional.empty();
  }
}
