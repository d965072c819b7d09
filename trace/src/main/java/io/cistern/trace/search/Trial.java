package io.cistern.trace.search;

import io.cistern.trace.report.SearchReport.Scored;
import java.util.Comparator;
import java.util.List;

/**
 * A layout that was tried.
 *
 * @param candidate the layout
 * @param scored what it cost
 * @param ratio the geometric mean of peak reserved over the lower bound
 * @param calls the most driver calls on any trace
 * @param pagesPeak the most pages that each pool held, for any stream of any trace
 */
record Trial(Candidate candidate, Scored scored, double ratio, long calls, List<Long> pagesPeak) {

  /** Fewest bytes first, then fewest driver calls, then fewest pools. */
  static final Comparator<Trial> BY_RATIO =
      Comparator.comparingDouble(Trial::ratio)
          .thenComparingLong(Trial::calls)
          .thenComparingInt(Trial::poolCount);

  /** Fewest driver calls first, then fewest bytes, then fewest pools. */
  static final Comparator<Trial> BY_CALLS =
      Comparator.comparingLong(Trial::calls)
          .thenComparingDouble(Trial::ratio)
          .thenComparingInt(Trial::poolCount);

  int poolCount() {
    return candidate.layout().pools().size();
  }

  /** Whether it is as good in both bytes and calls, and better in one or has fewer pools. */
  boolean beats(Trial other) {
    return ratio <= other.ratio
        && calls <= other.calls
        && (ratio < other.ratio || calls < other.calls || poolCount() < other.poolCount());
  }
}
