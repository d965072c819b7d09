package io.cistern.stress.races;

import io.cistern.manager.Handles;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads close one {@code long} handle: one of them does it, the other is told. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The first closed it.")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "The second closed it.")
@State
public class HandleCloseAgainstClose {

  private final OneShelf shelf = new OneShelf();
  private final Handles handles = shelf.manager.handles();
  private final long handle = handles.allocate(OneShelf.BYTES);

  private int close() {
    try {
      handles.close(handle);
      return OneSlice.SERVED;
    } catch (IllegalStateException closed) {
      return OneSlice.REFUSED;
    }
  }

  @Actor
  public void first(III_Result r) {
    r.r1 = close();
  }

  @Actor
  public void second(III_Result r) {
    r.r2 = close();
  }

  @Arbiter
  public void after(III_Result r) {
    r.r3 = shelf.isSound();
    shelf.manager.close();
  }
}
