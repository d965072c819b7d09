package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * One holder names a fence and closes, another only closes and asks: whoever is last, the slice is
 * out of reach until the fence has passed.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Free after the fence, and only then.")
@State
public class FencesOfAllHolders {

  private final OneSlice one = new OneSlice();
  private final Allocation user = one.take();
  private final Allocation holder = user.retain();
  private final NamedFence fence = new NamedFence();

  @Actor
  public void use() {
    user.usedUntil(fence);
    user.close();
  }

  @Actor
  public void closeAndAsk(II_Result r) {
    holder.close();
    r.r1 = one.ask();
  }

  @Arbiter
  public void after(II_Result r) {
    fence.pass();
    r.r2 = one.ask();
    one.manager.close();
  }
}
