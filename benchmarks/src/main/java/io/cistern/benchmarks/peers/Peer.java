package io.cistern.benchmarks.peers;

import java.util.OptionalLong;

/** An allocator that is open. */
public interface Peer extends AutoCloseable {

  /** Places for handles. Any thread may ask; each uses places of its own. */
  Slots slots(int count);

  /**
   * Bytes that the allocator holds at this moment, by its own word; empty if it has none to say.
   */
  OptionalLong heldBytes();

  /** Closes the allocator; all places are empty. */
  @Override
  void close();
}
