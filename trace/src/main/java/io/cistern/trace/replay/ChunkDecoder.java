package io.cistern.trace.replay;

import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.report.ReplayReport;
import io.cistern.trace.table.LiveIds;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decodes a trace into chunks, so that a replay needs arrays alone: checks ids and gives each live
 * one a slot, and numbers the streams in the order in which they appear.
 *
 * <p>This is where ids are checked, whatever the format. A free belongs to the stream of its
 * allocation, whatever its row says.
 */
final class ChunkDecoder {

  private final TraceReader reader;
  private final TraceFaults faults;
  private final LiveIds live = new LiveIds();
  private final Map<Integer, Integer> streamIndices = new HashMap<>();
  private int lastStream;
  private int lastIndex = -1;
  private long recordedPeak = TraceReader.UNKNOWN;

  ChunkDecoder(TraceReader reader, TraceFaults faults) {
    this.reader = reader;
    this.faults = faults;
  }

  /** The ids that are live after the last chunk. */
  LiveIds live() {
    return live;
  }

  /** The streams so far, with their indices in order of appearance. */
  Map<Integer, Integer> streamIndices() {
    return streamIndices;
  }

  /** What the recorded allocator held so far; empty if the trace does not tell. */
  Optional<ReplayReport.Recorded> recorded() {
    return recordedPeak == TraceReader.UNKNOWN
        ? Optional.empty()
        : Optional.of(
            new ReplayReport.Recorded(
                recordedPeak, reader.facts().count(TraceFacts.Count.UNSEEN_BYTES)));
  }

  /** Whether times are of a clock; known once the trace has ended. */
  boolean hasClock() {
    return reader.facts().hasClock();
  }

  /** Fills a chunk with the next rows; false if there are none. */
  boolean decode(Chunk chunk) throws IOException {
    int count = 0;
    while (count < chunk.capacity() && reader.next()) {
      int slot = live.slotOf(reader, faults);
      if (slot < 0) {
        continue;
      }
      recordedPeak = Math.max(recordedPeak, reader.recordedReserved());
      chunk.slots[count] = slot;
      chunk.byteSizes[count] = reader.isAllocation() ? reader.byteSize() : Chunk.FREE;
      chunk.streams[count] = reader.isAllocation() ? streamIndex(reader.stream()) : 0;
      chunk.ids[count] = reader.id();
      chunk.lines[count] = reader.line();
      if (chunk.isForPictures()) {
        chunk.timesMicros[count] = reader.timeMicros();
        chunk.recorded[count] = reader.recordedReserved();
        chunk.origins[count] = reader.origin();
      }
      count++;
    }
    chunk.count = count;
    return count > 0;
  }

  private int streamIndex(int stream) {
    if (stream != lastStream || lastIndex < 0) {
      lastStream = stream;
      lastIndex = streamIndices.computeIfAbsent(stream, _ -> streamIndices.size());
    }
    return lastIndex;
  }
}
