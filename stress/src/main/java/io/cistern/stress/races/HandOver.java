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
 * One thread closes a slice into its magazine while another takes two, which may be that one: each
 * slice is had once, and what is counted is exact.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Each slice is had once, and is counted.")
@State
public class HandOver {

  private final OneShelf shelf = new OneShelf();
  private final Allocation given = shelf.manager.allocate(OneShelf.BYTES);
  private @Nullable Allocation first;
  private @Nullable Allocation second;
  private @Nullable Allocation third;

  @Actor
  public void giver() {
    given.close();
    third = shelf.manager.allocate(OneShelf.BYTES);
  }

  @Actor
  public void taker() {
    first = shelf.manager.allocate(OneShelf.BYTES);
    second = shelf.manager.allocate(OneShelf.BYTES);
  }

  @Arbiter
  public void after(I_Result r) {
    Allocation[] live = {
      Objects.requireNonNull(first), Objects.requireNonNull(second), Objects.requireNonNull(third)
    };
    r.r1 = shelf.isSound(live);
    for (Allocation one : live) {
      one.close();
    }
    shelf.manager.close();
  }
}
