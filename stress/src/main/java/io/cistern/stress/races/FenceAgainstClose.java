package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A fence is named while the handle is closed: it was in time and holds, or it is refused. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "In time: the slice is pending.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Too late: the slice is free.")
@State
public class FenceAgainstClose {

  private final OneSlice one = new OneSlice();
  private final Allocation handle = one.take();
  private final NamedFence fence = new NamedFence();

  @Actor
  public void use(II_Result r) {
    try {
      handle.usedUntil(fence);
      r.r1 = OneSlice.SERVED;
    } catch (IllegalStateException closed) {
      r.r1 = OneSlice.REFUSED;
    }
  }

  @Actor
  public void close() {
    handle.close();
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = one.ask();
    one.manager.close();
  }
}
