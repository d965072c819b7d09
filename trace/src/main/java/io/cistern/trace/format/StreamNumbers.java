package io.cistern.trace.format;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Numbers streams that a recording names by address or handle. Small numbers stay, as the default
 * stream 0 does; others are numbered from 1 in the order in which they appear.
 */
final class StreamNumbers {

  private static final long SMALL = 1 << 16;

  private final Map<Long, Integer> numbers = new HashMap<>();
  private final Set<Integer> taken = new HashSet<>();
  private int next = 1;

  int of(long raw) {
    Integer known = numbers.get(raw);
    if (known != null) {
      return known;
    }
    int number = (int) raw;
    if (raw < 0 || raw >= SMALL || taken.contains(number)) {
      while (taken.contains(next)) {
        next++;
      }
      number = next;
    }
    taken.add(number);
    numbers.put(raw, number);
    return number;
  }
}
