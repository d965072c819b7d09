package io.cistern.trace.replay;

import io.cistern.trace.picture.Curves;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Works out the curves of a pass from its rows and from its driver calls, while no clock runs.
 *
 * <p>During a chunk it notes driver calls and refused rows, both of which are rare. When the chunk
 * is done, it walks the rows: what is in use follows from them.
 */
final class CurveRecording {

  private final Curves curves;
  private final long byteAlignment;

  // The driver calls of the present chunk, in their order: the row, and what was reserved after it.
  private int[] callRows = new int[64];
  private long[] callReserved = new long[64];
  private int calls;
  private final BitSet refused = new BitSet();
  private long reserved;

  // Up to the row that was walked last. By slot: what was asked for and is live, or 0.
  private long[] byteSizes = new long[0];
  private long inUse;
  private long padding;
  private long reservedThere;

  CurveRecording(Curves curves, long byteAlignment) {
    this.curves = curves;
    this.byteAlignment = byteAlignment;
  }

  /** The driver made a block in a row, or took one back where the number is negative. */
  void reserved(int row, long byteSize) {
    if (calls == callRows.length) {
      callRows = Arrays.copyOf(callRows, 2 * calls);
      callReserved = Arrays.copyOf(callReserved, 2 * calls);
    }
    reserved += byteSize;
    callRows[calls] = row;
    callReserved[calls] = reserved;
    calls++;
  }

  /** A row was refused. */
  void refused(int row) {
    refused.set(row);
  }

  /**
   * A chunk is done.
   *
   * @param count how many of its rows
   * @param slots slots are below
   */
  void add(Chunk chunk, int count, int slots) {
    if (byteSizes.length < slots) {
      byteSizes = Arrays.copyOf(byteSizes, slots);
    }
    int call = 0;
    for (int row = 0; row < count; row++) {
      int slot = chunk.slots[row];
      change(-byteSizes[slot]);
      byteSizes[slot] =
          chunk.byteSizes[row] == Chunk.FREE || refused.get(row) ? 0 : chunk.byteSizes[row];
      change(byteSizes[slot]);
      long low = reservedThere;
      long high = reservedThere;
      while (call < calls && callRows[call] == row) {
        reservedThere = callReserved[call++];
        low = Math.min(low, reservedThere);
        high = Math.max(high, reservedThere);
      }
      curves.add(chunk.timesMicros[row], inUse, padding, low, high, chunk.recorded[row]);
    }
    calls = 0;
    refused.clear();
  }

  private void change(long byteSize) {
    inUse += byteSize;
    // What is missing up to the next multiple of a power of two.
    long missing = -Math.abs(byteSize) & (byteAlignment - 1);
    padding += byteSize < 0 ? -missing : missing;
  }
}
