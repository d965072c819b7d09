package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.table.HeapBudget;
import io.cistern.trace.table.LongTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Events of several devices, as numbers, in no order of time. */
final class TimedEvents {

  /** The column of the time, in nanoseconds. */
  static final int TIME = 0;

  /** The column of the device, as {@link #device} numbers it. */
  static final int DEVICE = 1;

  /** The column of where the event stands, for messages. */
  static final int LINE = 2;

  /** The first column whose meaning is the user's. */
  static final int FIRST_OWN = 3;

  private final TraceInput input;
  private final LongTable table;
  private final Map<String, Integer> devices = new LinkedHashMap<>();

  /**
   * Makes a table.
   *
   * @param ownColumns the columns from {@link #FIRST_OWN} on
   */
  TimedEvents(int ownColumns, TraceInput input, HeapBudget budget) {
    this.input = input;
    this.table = new LongTable(FIRST_OWN + ownColumns, budget, input.faults());
  }

  /** The number of a device, in the order in which they appear. */
  int device(String name) {
    return devices.computeIfAbsent(name, _ -> devices.size());
  }

  /** Adds an event: its numbers in the order of the columns. */
  void add(long... values) throws TraceException {
    table.add(values[LINE], values);
  }

  int count() {
    return table.rows();
  }

  long get(int event, int column) {
    return table.get(event, column);
  }

  void set(int event, int column, long value) {
    table.set(event, column, value);
  }

  /**
   * Chooses the device that was asked for, or else the one with the most events.
   *
   * @throws TraceException if there is no such device, or no event at all
   */
  TraceFacts.Device choose(RecordedFacts facts) throws TraceException {
    long[] counts = new long[devices.size()];
    for (int i = 0; i < table.rows(); i++) {
      counts[(int) table.get(i, DEVICE)]++;
    }
    List<TraceFacts.Device> all = new ArrayList<>();
    devices.forEach((name, index) -> all.add(new TraceFacts.Device(name, counts[index])));
    TraceFacts.Device fullest =
        all.stream()
            .max(Comparator.comparingLong(TraceFacts.Device::events))
            .orElseThrow(() -> input.faults().error(1, "no event of memory can be read"));
    TraceFacts.Device chosen = ChosenDevice.of(input, all, fullest);
    facts.setDevices(all, chosen);
    facts.add(TraceFacts.Count.EVENTS, chosen.events());
    return chosen;
  }

  /**
   * The events of a device by time; in the order in which they were added where times are equal.
   */
  int[] inOrder(int device) {
    Integer[] order =
        IntStream.range(0, table.rows())
            .filter(event -> get(event, DEVICE) == device)
            .boxed()
            .toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingLong(event -> get(event, TIME)));
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  /** How many events of a device were added behind later ones. */
  long outOfOrder(int device) {
    long latest = Long.MIN_VALUE;
    long count = 0;
    for (int event = 0; event < table.rows(); event++) {
      if (get(event, DEVICE) == device) {
        count += get(event, TIME) < latest ? 1 : 0;
        latest = Math.max(latest, get(event, TIME));
      }
    }
    return count;
  }
}
