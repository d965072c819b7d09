package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A slice that was closed with a fence is asked for: it is served after the fence has passed. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused, and free in the end.")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Served after the fence.")
@Outcome(id = "2, .", expect = Expect.FORBIDDEN, desc = "Served before the fence has passed.")
@State
public class FenceAgainstAllocate {

  private static final int TOO_EARLY = 2;

  private final OneSlice one = new OneSlice();
  private final Allocation handle = one.take();
  private final NamedFence fence = new NamedFence();

  @Actor
  public void use() {
    handle.usedUntil(fence);
    handle.close();
    fence.pass();
  }

  @Actor
  public void ask(II_Result r) {
    int answer = one.ask();
    r.r1 = answer == OneSlice.SERVED && !fence.hasPassed() ? TOO_EARLY : answer;
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = one.ask();
    one.manager.close();
  }
}
