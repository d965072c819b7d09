package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A layout is installed while the last slice of the one in force is closed. */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "Closed, then installed.")
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "Still live, so not installed.")
@State
public class InstallAgainstClose {

  private final OneShelf shelf = new OneShelf();
  private final Allocation last = shelf.manager.allocate(OneShelf.BYTES);

  @Actor
  public void install(III_Result r) {
    r.r1 = shelf.install();
  }

  @Actor
  public void close() {
    last.close();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r2 = (int) shelf.manager.usage().allocations();
    shelf.manager.trim();
    r.r3 = (int) shelf.device.allocated().bytes();
    shelf.manager.close();
  }
}
