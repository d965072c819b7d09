package io.cistern.trace;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What a recording tells beside its rows. Whole once the reader has come to the end. Not safe for
 * many threads.
 */
public interface TraceFacts {

  /** What is counted; each stands at 0 where a format does not tell it. */
  enum Count {
    /** Entries about memory, of the device that is read. */
    EVENTS("events", "entries of the recording about memory"),

    /** Requests that the recorded allocator refused. */
    FAILED_REQUESTS("failedRequests", "requests that the recorded allocator refused"),

    /** Frees on another thread than the allocation. */
    CROSS_THREAD_FREES("crossThreadFrees", "frees on another thread than the allocation"),

    /** Frees of what is not live, which are no rows. */
    UNMATCHED_FREES("unmatchedFrees", "frees of what is not live, left out"),

    /** Allocations at an address that was live: its free is missing, and put in. */
    REUSED_LIVE("reusedLive", "allocations at a live address, which counts as freed"),

    /** Events that stand behind later ones. */
    OUT_OF_ORDER("outOfOrder", "events that stand behind later ones"),

    /** Blocks from before the recording; their allocations stand in front, at time 0. */
    BEFORE_ALLOCATIONS("beforeAllocations", "blocks from before the recording, put in front"),

    /** The bytes in these. */
    BEFORE_BYTES("beforeBytes", "bytes in these"),

    /** Events whose own total differs from that of the rows, by other than the first. */
    DISAGREEMENTS("disagreements", "events that tell another live total than the rows"),

    /** Bytes that were live throughout, as the totals of events tell, and have no row. */
    UNSEEN_BYTES("unseenBytes", "bytes that were live throughout and have no row"),

    /** Segments that the recorded allocator held at the end. */
    SEGMENTS("segments", "segments of the recorded allocator at the end"),

    /** Calls whose bytes are not recorded, which are no rows. */
    LEFT_OUT("leftOut", "calls whose bytes are not recorded, left out");

    private final String key;
    private final String text;

    Count(String key, String text) {
      this.key = key;
      this.text = text;
    }

    /** The name for programs. */
    public String key() {
      return key;
    }

    /** What is counted, in words. */
    public String text() {
      return text;
    }
  }

  /**
   * A device whose memory the recording tells of.
   *
   * @param name how options name it
   * @param events its entries about memory
   */
  record Device(String name, long events) {}

  /**
   * A request that the recorded allocator refused.
   *
   * @param line its line
   * @param byteSize its size in bytes
   * @param stream its stream
   */
  record FailedRequest(long line, long byteSize, int stream) {}

  /** So many there were. */
  long count(Count count);

  /** The threads that asked; empty where the recording does not tell. */
  SortedSet<Long> threads();

  /** The devices that have events; empty where the recording does not tell. */
  List<Device> devices();

  /** The one whose rows are read. */
  Optional<Device> device();

  /** The first request that the recorded allocator refused. */
  Optional<FailedRequest> firstFailure();

  /** Whether times are of a clock; otherwise a note says what they are. */
  boolean hasClock();

  /** What else there is to say, in words. */
  List<String> notes();
}
