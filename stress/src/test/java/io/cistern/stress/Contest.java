package io.cistern.stress;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handle that two threads close, or one closes while the other retains it. */
final class Contest {

  private static final int THREADS = 2;

  private final Holding holding;
  private final boolean retains;
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger closes = new AtomicInteger();

  Contest(Holding holding, boolean retains) {
    this.holding = holding;
    this.retains = retains;
  }

  /** Takes one of the two parts; the new handle, if it is to retain and was in time. */
  @Nullable Holding takePart() {
    Holding retained = null;
    if (begun.getAndIncrement() == 0 && retains) {
      retained = retain();
    } else {
      close();
    }
    if (ended.incrementAndGet() == THREADS && closes.get() != 1) {
      throw new AssertionError(holding + " was closed " + closes.get() + " times");
    }
    return retained;
  }

  private void close() {
    try {
      holding.allocation().close();
      closes.incrementAndGet();
    } catch (IllegalStateException closedByTheOther) {
      if (retains) {
        throw new AssertionError("nobody else closed it", closedByTheOther);
      }
    }
  }

  private @Nullable Holding retain() {
    try {
      return new Holding(holding.target(), holding.allocation().retain(), holding.written());
    } catch (IllegalStateException closedByTheOther) {
      return null;
    }
  }
}
