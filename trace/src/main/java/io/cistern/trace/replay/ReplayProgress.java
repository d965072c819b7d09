package io.cistern.trace.replay;

/** Is told how far a replay is, a few hundred times a second at most. */
@FunctionalInterface
public interface ReplayProgress {

  /**
   * Hears where the replay is.
   *
   * @param pass the present pass, from 0
   * @param byteCount the bytes of the file that this pass has read
   * @param operations the rows that this pass has replayed
   */
  void at(int pass, long byteCount, long operations);
}
