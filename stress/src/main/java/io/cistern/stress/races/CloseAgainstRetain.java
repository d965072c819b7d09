package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread closes the last handle while another retains it: there is a second handle and the
 * slice lives on, or there is none and the slice is free. Never a handle on a free slice.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Retained, and the slice lives on.")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "Refused, and the slice is free.")
@State
public class CloseAgainstRetain {

  private final OneSlice one = new OneSlice();
  private final Allocation handle = one.take();
  private @Nullable Allocation retained;

  @Actor
  public void close(III_Result r) {
    r.r1 = OneSlice.close(handle);
  }

  @Actor
  public void retain(III_Result r) {
    try {
      retained = handle.retain();
      r.r2 = OneSlice.SERVED;
    } catch (IllegalStateException closed) {
      r.r2 = OneSlice.REFUSED;
    }
  }

  @Arbiter
  public void after(III_Result r) {
    Allocation second = retained;
    r.r3 = one.ask();
    if (second != null) {
      second.close();
    }
    one.manager.close();
  }
}
