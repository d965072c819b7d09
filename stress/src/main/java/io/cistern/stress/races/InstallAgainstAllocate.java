package io.cistern.stress.races;

import io.cistern.manager.Allocation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A layout is installed while a slice is asked for: the slice is of one layout, and is counted. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "Installed, then served by it.")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "Served, so not installed.")
@State
public class InstallAgainstAllocate {

  private final OneShelf shelf = new OneShelf();
  private @Nullable Allocation got;

  @Actor
  public void install(III_Result r) {
    r.r1 = shelf.install();
  }

  @Actor
  public void ask() {
    got = shelf.manager.allocate(OneShelf.BYTES);
  }

  @Arbiter
  public void after(III_Result r) {
    Allocation live = Objects.requireNonNull(got);
    // What is out of the driver is what the layout in force has reserved.
    r.r2 = shelf.device.allocated().equals(shelf.manager.usage().reserved()) ? 0 : 1;
    r.r3 = shelf.isSound(live);
    live.close();
    shelf.manager.close();
  }
}
