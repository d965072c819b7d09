package io.cistern.benchmarks.suite;

import io.cistern.benchmarks.Devices;
import io.cistern.benchmarks.peers.Allocator;
import io.cistern.benchmarks.peers.Peer;
import io.cistern.benchmarks.peers.Slots;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.Storage;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The allocator of a cell, open; Cistern on the host's memory with the default layout. */
@State(Scope.Benchmark)
public class Opened {

  @Param public Allocator allocator = Allocator.SHARED_LONGS;

  private @Nullable Storage storage;
  private @Nullable Peer peer;
  private final List<Filled> filled = new CopyOnWriteArrayList<>();

  private record Filled(Thread owner, Runnable free) {}

  @Setup(Level.Trial)
  public void open() {
    Figures.clear();
    storage = Devices.open("host");
    peer = allocator.open(storage, MemoryPoolsConfig.subSlices());
  }

  Slots slots(int count) {
    return peer().slots(count);
  }

  /** JMH closes this before the places in it, so whoever has live ones says how to free them. */
  void beforeClose(Runnable free) {
    filled.add(new Filled(Thread.currentThread(), free));
  }

  private boolean mayFree(Filled places) {
    // What only another thread may free goes with the JVM.
    return allocator.threads() != Allocator.Threads.EACH_ITS_OWN
        || places.owner.equals(Thread.currentThread());
  }

  private Peer peer() {
    return Objects.requireNonNull(peer);
  }

  /** By a measuring thread, since some allocators answer to no other. */
  @TearDown(Level.Iteration)
  public void noteHeld() {
    peer().heldBytes().ifPresent(bytes -> Figures.max(Figures.HELD, (double) bytes));
  }

  @TearDown(Level.Trial)
  public void close() {
    filled.stream().filter(this::mayFree).forEach(places -> places.free.run());
    filled.clear();
    peer().close();
    Objects.requireNonNull(storage).close();
  }
}
