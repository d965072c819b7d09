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
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An idle page goes back while a slice of it is asked for: the slice is on a page that is there.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Served, and counted.")
@State
public class TrimAgainstAllocate {

  private final OneShelf shelf = new OneShelf();
  private @Nullable Allocation got;

  @Actor
  public void trim() {
    shelf.manager.trim();
  }

  @Actor
  public void ask() {
    got = shelf.manager.allocate(OneShelf.BYTES);
  }

  @Arbiter
  public void after(II_Result r) {
    Allocation live = Objects.requireNonNull(got);
    boolean there =
        live.address() > 0 && shelf.device.allocated().equals(shelf.manager.usage().reserved());
    r.r1 = there ? 1 : 0;
    r.r2 = shelf.isSound(live);
    live.close();
    shelf.manager.close();
  }
}
