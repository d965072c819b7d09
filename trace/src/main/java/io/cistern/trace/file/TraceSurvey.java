package io.cistern.trace.file;

import io.cistern.trace.TraceFaults;
import io.cistern.trace.TraceReader;
import io.cistern.trace.report.TraceInfo;
import io.cistern.trace.table.LiveIds;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Goes through a trace and counts, in memory that grows with what is live alone. */
final class TraceSurvey {

  private final TraceReader reader;
  private final TraceFaults faults;
  private final LiveIds ids = new LiveIds();
  private final Distribution sizes = new Distribution();
  private final Distribution lifetimeRows = new Distribution();
  private final Distribution lifetimeMicros = new Distribution();
  private final Set<Long> distinct = new HashSet<>();
  private final SortedMap<Integer, Long> streams = new TreeMap<>();

  // By slot of a live id.
  private long[] byteSizes = new long[64];
  private long[] bornRows = new long[64];
  private long[] bornMicros = new long[64];

  private long allocations;
  private long frees;
  private long empty;
  private long live;
  private long peakLive;
  private long peakLine;
  private long peakCount;
  private long recordedPeak = TraceReader.UNKNOWN;
  private long firstMicros;
  private long lastMicros;

  TraceSurvey(TraceReader reader, TraceFaults faults) {
    this.reader = reader;
    this.faults = faults;
  }

  TraceInfo run(String name) throws IOException {
    while (reader.next()) {
      int slot = ids.slotOf(reader, faults);
      if (slot < 0) {
        continue;
      }
      if (allocations + frees == 0) {
        firstMicros = reader.timeMicros();
      }
      lastMicros = Math.max(lastMicros, reader.timeMicros());
      recordedPeak = Math.max(recordedPeak, reader.recordedReserved());
      if (reader.isAllocation()) {
        allocated(slot);
      } else {
        freed(slot);
      }
    }
    return info(name);
  }

  private TraceInfo info(String name) {
    return new TraceInfo(
        name,
        reader.format(),
        reader.facts(),
        allocations,
        frees,
        empty,
        sizes.spread(),
        distinct.size(),
        lifetimeRows.spread(),
        lifetimeMicros.spread(),
        streams,
        peakLive,
        peakLine,
        peakCount,
        new TraceInfo.End(ids.live(), live),
        recordedPeak == TraceReader.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(recordedPeak),
        Math.max(0, lastMicros - firstMicros),
        faults.skipped(),
        faults.odd(),
        faults.problems());
  }

  private void allocated(int slot) {
    if (slot >= byteSizes.length) {
      int length = 2 * byteSizes.length;
      byteSizes = Arrays.copyOf(byteSizes, length);
      bornRows = Arrays.copyOf(bornRows, length);
      bornMicros = Arrays.copyOf(bornMicros, length);
    }
    long byteSize = reader.byteSize();
    byteSizes[slot] = byteSize;
    bornRows[slot] = allocations + frees;
    bornMicros[slot] = reader.timeMicros();
    allocations++;
    empty += byteSize == 0 ? 1 : 0;
    sizes.add(byteSize);
    if (distinct.size() < TraceInfo.MOST_DISTINCT) {
      distinct.add(byteSize);
    }
    streams.merge(reader.stream(), 1L, Long::sum);
    live += byteSize;
    peakCount = Math.max(peakCount, ids.live());
    if (live > peakLive) {
      peakLive = live;
      peakLine = reader.line();
    }
  }

  private void freed(int slot) {
    lifetimeRows.add(allocations + frees - bornRows[slot]);
    lifetimeMicros.add(Math.max(0, reader.timeMicros() - bornMicros[slot]));
    frees++;
    live -= byteSizes[slot];
  }
}
