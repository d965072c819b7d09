package io.cistern.trace;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads a trace row by row, in the order of the calls.
 *
 * <p>A format is one implementation, which {@link Traces} recognises by content. An implementation
 * holds no more than one buffer of the file, and reports what it can't read to its {@link
 * TraceFaults}; whether ids make sense is checked behind it, once for all formats. Not safe for
 * many threads.
 */
public interface TraceReader extends Closeable {

  /**
   * Goes to the next row; the accessors then tell what it says.
   *
   * @return false at the end of the trace
   * @throws TraceException if the row is bad and the trace is not read leniently
   * @throws IOException if the file can't be read
   */
  boolean next() throws IOException;

  /** Whether the row is an allocation; otherwise it is a free. */
  boolean isAllocation();

  /** The allocation's id, at least 0. */
  long id();

  /** The size in bytes, at least 0. */
  long byteSize();

  /** The stream of device work; 0 where the trace has none. */
  int stream();

  /** When it happened, in microseconds from some start; 0 where the trace has no time. */
  long timeMicros();

  /** Where the row stands, from 1, for messages. */
  long line();
}
