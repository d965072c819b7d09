package io.cistern.trace.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The layouts that nothing beats in both bytes and driver calls. Time is no part of it: it differs
 * from run to run, and a search must not.
 */
final class ParetoFront {

  // Sorted by Trial.BY_RATIO; no two of them beat each other.
  private final List<Trial> trials = new ArrayList<>();

  /** Adds one, unless one that is there is as good. */
  void add(Trial trial) {
    for (Trial other : trials) {
      if (other.beats(trial) || isSame(other, trial)) {
        return;
      }
    }
    trials.removeIf(trial::beats);
    trials.add(trial);
    trials.sort(Trial.BY_RATIO);
  }

  private static boolean isSame(Trial one, Trial other) {
    return one.ratio() == other.ratio()
        && one.calls() == other.calls()
        && one.poolCount() == other.poolCount();
  }

  /** All, fewest bytes first. */
  List<Trial> trials() {
    return List.copyOf(trials);
  }

  /** The one with the fewest bytes within so many calls, or else with the fewest calls. */
  Optional<Trial> best(long mostCalls) {
    Optional<Trial> within =
        trials.stream().filter(trial -> trial.calls() <= mostCalls).min(Trial.BY_RATIO);
    return within.or(() -> trials.stream().min(Trial.BY_CALLS));
  }

  /** So many of them, spread over the whole front: the first, the last, and the best among them. */
  List<Trial> some(int most, Trial best) {
    if (trials.size() <= most) {
      return trials();
    }
    List<Trial> some = new ArrayList<>();
    for (int i = 0; i < most - 1; i++) {
      some.add(trials.get(i * (trials.size() - 1) / (most - 2)));
    }
    if (!some.contains(best)) {
      some.add(best);
    }
    some.sort(Comparator.comparingInt(trials::indexOf));
    return some;
  }
}
