package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A manager and a handle of it are closed: neither is an error, the handle is closed for good, and
 * the driver has all of its memory back.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "Both closed, nothing left.")
@State
public class ManagerCloseAgainstClose {

  private final OneSlice one = new OneSlice();
  private final Allocation handle = one.take();

  @Actor
  public void closeManager() {
    one.manager.close();
  }

  @Actor
  public void closeHandle(III_Result r) {
    r.r1 = OneSlice.close(handle);
  }

  @Arbiter
  public void after(III_Result r) {
    r.r2 = OneSlice.close(handle);
    r.r3 = (int) one.device.allocated().bytes();
  }
}
