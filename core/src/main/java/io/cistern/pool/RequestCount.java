package io.cistern.pool;

/**
 * Counts the requests of a manager, refused ones too, and knows the one before which the next idle
 * page has to go back.
 *
 * <p>Stripes count requests of their own, out of what they were granted: never so many that a page
 * could be due among them. Not safe for many threads: the pools' lock stands around it.
 */
public final class RequestCount {

  /** More than a stripe will serve before it is stopped for some other reason. */
  private static final long PLENTY = 1 << 30;

  // count + granted < nextDue whenever a stripe runs, so a page that is due is never late.
  private long count;
  private long granted;
  private long nextDue = Pool.NEVER;

  /** The requests so far; those that stripes which run have served since are not in it. */
  public long count() {
    return count;
  }

  /** Counts a request. */
  public void next() {
    count++;
  }

  /** Whether an idle page may be due; for sure once all stripes are stopped. */
  public boolean mayBeDue() {
    return count + granted >= nextDue;
  }

  /** The request before which the next idle page has to go back. */
  public long nextDue() {
    return nextDue;
  }

  /** Says which request that is now; all stripes of the manager are stopped. */
  public void nextDue(long request) {
    nextDue = request;
  }

  /** As {@link #nextDue(long)}, if that is sooner. */
  void watch(long request) {
    if (request < nextDue) {
      nextDue = request;
    }
  }

  /** Grants a stripe requests; returns how many. */
  long grant() {
    long grant = nextDue == Pool.NEVER ? PLENTY : Math.max(0, (nextDue - count - granted) / 2);
    granted += grant;
    return grant;
  }

  /** Takes a grant back, some of which is left. */
  void settle(long grant, long left) {
    granted -= grant;
    count += grant - left;
  }
}
