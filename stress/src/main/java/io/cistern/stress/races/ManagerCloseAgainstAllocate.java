package io.cistern.stress.races;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A manager is closed while it is asked: served or "closed", the driver has all back. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Served, then ended with the manager.")
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Closed first.")
@State
public class ManagerCloseAgainstAllocate {

  private static final int CLOSED = 2;

  private final OneSlice one = new OneSlice();

  @Actor
  public void closeManager() {
    one.manager.close();
  }

  @Actor
  public void ask(II_Result r) {
    try {
      r.r1 = one.ask();
    } catch (IllegalStateException closed) {
      r.r1 = CLOSED;
    }
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = (int) one.device.allocated().bytes();
  }
}
