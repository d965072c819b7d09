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
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A trim takes every slice out of the magazines while a thread takes one of them: it is had or it
 * went back to its page, and never both.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Each slice is had once, and is counted.")
@State
public class DrainAgainstTake {

  private final OneShelf shelf = new OneShelf();
  private @Nullable Allocation taken;

  @Actor
  public void drain() {
    shelf.manager.trim();
  }

  @Actor
  public void take() {
    taken = shelf.manager.allocate(OneShelf.BYTES);
  }

  @Arbiter
  public void after(I_Result r) {
    Allocation next = shelf.manager.allocate(OneShelf.BYTES);
    Allocation[] live = {Objects.requireNonNull(taken), next};
    r.r1 = shelf.isSound(live);
    for (Allocation one : live) {
      one.close();
    }
    shelf.manager.close();
  }
}
