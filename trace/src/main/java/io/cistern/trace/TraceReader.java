package io.cistern.trace;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace row by row, in the order of the calls.
 *
 * <p>A format is one implementation, which {@link io.cistern.trace.file.Traces} recognises by
 * content. An implementation reports what it can't read to its {@link TraceFaults}; whether ids
 * make sense is checked behind it, once for all formats. Where rows stand in the file in their
 * order, it holds one buffer of the file and what is live; where they don't, at most half of the
 * Java heap. Not safe for many threads.
 */
public interface TraceReader extends Closeable {

  /** What {@link #recordedReserved} says where a trace does not tell. */
  long UNKNOWN = -1;

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

  /**
   * Where the row stands, from 1, for messages: its line, or the number of its event; 0 if it is
   * from before the recording.
   */
  long line();

  /**
   * The most bytes that the recorded allocator itself held from its driver since the row before, up
   * to this one; {@link #UNKNOWN} where the trace does not tell.
   */
  default long recordedReserved() {
    return UNKNOWN;
  }

  /**
   * Where the row's allocation came from; null where the trace does not tell, or {@linkplain
   * ReadOptions#origins is not asked}.
   */
  default @Nullable Origin origin() {
    return null;
  }

  /** The format. */
  TraceFormat format();

  /** What the recording tells beside its rows; whole after the last row. */
  TraceFacts facts();
}
