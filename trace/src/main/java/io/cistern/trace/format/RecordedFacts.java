package io.cistern.trace.format;

import io.cistern.trace.TraceFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a reader has found beside its rows so far. */
final class RecordedFacts implements TraceFacts {

  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final SortedSet<Long> threads = new TreeSet<>();
  private final List<Device> devices = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private boolean clock = true;
  private @Nullable Device device;
  private @Nullable FailedRequest firstFailure;

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

  @Override
  public long count(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  @Override
  public SortedSet<Long> threads() {
    return Collections.unmodifiableSortedSet(threads);
  }

  @Override
  public List<Device> devices() {
    return Collections.unmodifiableList(devices);
  }

  @Override
  public Optional<Device> device() {
    return Optional.ofNullable(device);
  }

  @Override
  public Optional<FailedRequest> firstFailure() {
    return Optional.ofNullable(firstFailure);
  }

  @Override
  public boolean hasClock() {
    return clock;
  }

  @Override
  public List<String> notes() {
    return Collections.unmodifiableList(notes);
  }
}
