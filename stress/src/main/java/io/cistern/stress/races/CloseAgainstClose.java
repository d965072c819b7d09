package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads close one handle: one of them does it, the other is told, and the slice is free. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The first closed it.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "The second closed it.")
@State
public class CloseAgainstClose {

  private final OneSlice one = new OneSlice();
  private final Allocation handle = one.take();

  @Actor
  public void first(III_Result r) {
    r.r1 = OneSlice.close(handle);
  }

  @Actor
  public void second(III_Result r) {
    r.r2 = OneSlice.close(handle);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = one.ask();
    one.manager.close();
  }
}
