package io.cistern.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.manager.Allocation;
import io.cistern.testkit.Patterns;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What a thread does with handles: its own, and those that it gets from others. */
final class HandleSteps {

  private static final int OWN = 64;

  private final World world;
  private final Random random;
  private final List<Holding> own = new ArrayList<>();
  private Work work;
  private long refused;

  HandleSteps(World world, Random random) {
    this.world = world;
    this.random = random;
    this.work = world.device.begin();
  }

  long refused() {
    return refused;
  }

  void allocate(Target target) {
    Allocation allocation;
    target.requests.readLock().lock();
    try {
      allocation = target.manager.allocate(World.byteSize(random));
    } catch (AllocationException full) {
      refused++;
      return;
    } catch (IllegalStateException ended) {
      target.requireEnded(ended);
      return;
    } finally {
      target.requests.readLock().unlock();
    }
    Holding holding = write(target, allocation, random);
    if (own.size() >= OWN || (target == world.sparse && random.nextInt(16) > 0)) {
      if (random.nextInt(8) == 0) {
        use(holding);
      }
      close(holding);
    } else {
      own.add(holding);
    }
  }

  /** Fills what was handed out with a pattern of its own; now and then it stays as it is. */
  static Holding write(Target target, Allocation allocation, Random random) {
    long pattern = random.nextLong();
    if (pattern % 16 == 0) {
      return new Holding(target, allocation, null);
    }
    try {
      MemorySegment segment = allocation.segment();
      Patterns.write(segment, pattern);
      return new Holding(target, allocation, new Written(target, segment, pattern));
    } catch (DeviceMemoryException neverMapped) {
      return new Holding(target, allocation, null);
    } catch (IllegalStateException closed) {
      target.requireClosed(closed);
      return new Holding(target, allocation, null);
    }
  }

  private @Nullable Holding take() {
    return own.isEmpty() ? null : own.remove(random.nextInt(own.size()));
  }

  private void keep(@Nullable Holding holding) {
    if (holding != null) {
      own.add(holding);
    }
  }

  void close() {
    Holding holding = take();
    if (holding != null) {
      close(holding);
    }
  }

  private void close(Holding holding) {
    holding.verify();
    Allocation handle = holding.allocation();
    handle.close();
    assertThat(handle.isAlive()).isFalse();
    switch (random.nextInt(16)) {
      case 0 -> assertThatThrownBy(handle::close).isInstanceOf(IllegalStateException.class);
      case 1 -> assertThatThrownBy(handle::retain).isInstanceOf(IllegalStateException.class);
      case 2 -> assertThatThrownBy(handle::segment).isInstanceOf(IllegalStateException.class);
      default -> {}
    }
  }

  void handOver() {
    Holding holding = take();
    if (holding != null && !world.holdings.offer(holding)) {
      own.add(holding);
    }
  }

  void takeOver() {
    if (own.size() < OWN) {
      keep(world.holdings.poll());
    }
  }

  void use() {
    Holding holding = take();
    if (holding != null) {
      use(holding);
      own.add(holding);
    }
  }

  private void use(Holding holding) {
    try {
      if (random.nextInt(4) == 0) {
        work = world.device.begin();
      }
      while (!work.use(holding)) {
        work = world.device.begin();
      }
    } catch (IllegalStateException closed) {
      holding.target().requireClosed(closed);
    }
  }

  void retain() {
    Holding holding = take();
    if (holding == null) {
      return;
    }
    own.add(holding);
    try {
      Allocation second = holding.allocation().retain();
      own.add(new Holding(holding.target(), second, holding.written()));
      assertThat(holding.allocation().canMutate()).isFalse();
    } catch (IllegalStateException closed) {
      holding.target().requireClosed(closed);
    }
  }

  void contest() {
    Holding holding = take();
    if (holding != null) {
      holding.verify();
      Contest contest = new Contest(holding, random.nextBoolean());
      world.contests.add(contest);
      world.contests.add(contest);
    }
  }

  void takePart() {
    Contest contest = world.contests.poll();
    if (contest != null) {
      keep(contest.takePart());
    }
  }

  void finish() {
    for (Holding holding : own) {
      if (!world.holdings.offer(holding)) {
        close(holding);
      }
    }
    own.clear();
  }
}
