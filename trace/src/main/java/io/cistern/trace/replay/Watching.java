package io.cistern.trace.replay;

import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.DeviceProperties;
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

  /** A stream has got its manager, which has served nothing yet. */
  default void opened(int stream, MemoryManager manager) {}

  /** There will be slots from 0 to below a number. */
  default void makeRoom(int slots) {}

  /** A row was served. */
  void served(Chunk chunk, int row, Allocation handle);

  /** A row was refused. */
  default void refused() {}

  /** An allocation is still live: it is about to be freed, or the trace has ended. */
  default void leaving(int slot, Allocation handle) {}

  /** The slices that were found overwritten. */
  default long mismatches() {
    return 0;
  }

  /** The first of them. */
  default Optional<ReplayReport.Mismatch> firstMismatch() {
    return Optional.empty();
  }
}
