package io.cistern.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a recording tells beside its rows. Whole once the reader has come to the end. Not safe for
 * many threads.
 */
public final class TraceFacts {

  /** What is counted; each stands at 0 where a format does not tell it. */
  public enum Count {
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
  public record Device(String name, long events) {}

  /**
   * A request that the recorded allocator refused.
   *
   * @param line its line
   * @param byteSize its size in bytes
   * @param stream its stream
   */
  public record FailedRequest(long line, long byteSize, int stream) {}

  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final SortedSet<Long> threads = new TreeSet<>();
  private final List<Device> devices = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private boolean clock = true;
  private @Nullable Device device;
  private @Nullable FailedRequest firstFailure;

  /** Makes facts that tell nothing yet. */
  TraceFacts() {}

  void add(Count count, long more) {
    counts.merge(count, more, Long::sum);
  }

  void addThread(long thread) {
    threads.add(thread);
  }

  void addFailure(FailedRequest failure) {
    add(Count.FAILED_REQUESTS, 1);
    if (firstFailure == null) {
      firstFailure = failure;
    }
  }

  void addNote(String note) {
    notes.add(note);
  }

  /** The recording has no clock; its times are something else. */
  void setNoClock(String instead) {
    clock = false;
    addNote("the recording has no clock: times are " + instead);
  }

  void setDevices(List<Device> all, Device chosen) {
    devices.addAll(all);
    device = chosen;
  }

  /** So many there were. */
  public long count(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  /** The threads that asked; empty where the recording does not tell. */
  public SortedSet<Long> threads() {
    return Collections.unmodifiableSortedSet(threads);
  }

  /** The devices that have events; empty where the recording does not tell. */
  public List<Device> devices() {
    return Collections.unmodifiableList(devices);
  }

  /** The one whose rows are read. */
  public Optional<Device> device() {
    return Optional.ofNullable(device);
  }

  /** The first request that the recorded allocator refused. */
  public Optional<FailedRequest> firstFailure() {
    return Optional.ofNullable(firstFailure);
  }

  /** Whether times are of a clock; otherwise a note says what they are. */
  public boolean hasClock() {
    return clock;
  }

  /** What else there is to say, in words. */
  public List<String> notes() {
    return Collections.unmodifiableList(notes);
  }
}
