package io.cistern.stress.races;

import io.cistern.MemorySize;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
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
    r.r1 = install(shelf);
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

  /** Puts another layout in force: 1, or 0 if slices are live. */
  static int install(OneShelf shelf) {
    try {
      shelf.manager.install(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofKiB(256))));
      return 1;
    } catch (PoolsInUseException live) {
      return 0;
    } catch (LayoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
