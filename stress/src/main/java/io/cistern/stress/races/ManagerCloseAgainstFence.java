package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A manager is closed while a slice is closed that device work may still use: all goes back. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Nothing is out, nothing is pending.")
@State
public class ManagerCloseAgainstFence {

  private final OneSlice one = new OneSlice();
  private final Allocation handle = one.take();
  private final NamedFence fence = new NamedFence();

  @Actor
  public void closeManager() {
    one.manager.close();
  }

  @Actor
  public void use() {
    try {
      handle.usedUntil(fence);
    } catch (IllegalStateException closed) {
      // The manager was first; its handles may still be closed.
    }
    handle.close();
    fence.pass();
  }

  @Arbiter
  public void after(II_Result r) {
    r.r1 = (int) one.device.allocated().bytes();
    r.r2 = (int) one.manager.usage().pending().bytes();
  }
}
