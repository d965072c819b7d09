package io.cistern.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.AllocationException;
import io.cistern.DeviceMemoryException;
import io.cistern.MemorySize;
import io.cistern.PoolsInUseException;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.layout.LayoutException;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageCall.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Random streams of operations over random layouts, against {@link PlainModel}, with every equation
 * of the bookkeeping checked after each step. A stream that fails is made as short as it will go,
 * and printed with its seed. {@code -Dcistern.seed=N} runs one seed alone.
 */
class RandomStreamsTest {

  private static final int STREAMS = 400;
  private static final int STEPS = 250;

  sealed interface Step {
    record Allocate(long byteSize, long alignment) implements Step {}

    record Release(int which) implements Step {}

    record Trim() implements Step {}

    record Install(long seed) implements Step {}

    record Driver(boolean refusesBlocks, boolean refusesFrees) implements Step {}
  }

  @TestFactory
  List<DynamicTest> rulesHoldAfterEachStep() {
    Long seed = Long.getLong("cistern.seed");
    LongStream seeds = seed != null ? LongStream.of(seed) : LongStream.range(0, STREAMS);
    return seeds
        .mapToObj(one -> DynamicTest.dynamicTest("seed " + one, () -> runOrShrink(one)))
        .toList();
  }

  private static void runOrShrink(long seed) {
    List<Step> steps = randomSteps(new Random(seed));
    Throwable failure = failureOf(seed, steps);
    if (failure != null) {
      List<Step> shortest = shrink(seed, steps);
      Throwable last = failureOf(seed, shortest);
      throw new AssertionError(
          "seed " + seed + ", " + configFor(seed) + ", fails on\n  " + join(shortest), last);
    }
  }

  private static String join(List<Step> steps) {
    return String.join("\n  ", steps.stream().map(Step::toString).toList());
  }

  /** Takes out ever smaller runs of steps for as long as what is left still fails. */
  private static List<Step> shrink(long seed, List<Step> failing) {
    List<Step> steps = failing;
    for (int run = steps.size() / 2; run > 0; run /= 2) {
      for (int at = 0; at + run <= steps.size(); ) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.subList(at, at + run).clear();
        if (failureOf(seed, fewer) != null) {
          steps = fewer;
        } else {
          at += run;
        }
      }
    }
    return steps;
  }

  private static @Nullable Throwable failureOf(long seed, List<Step> steps) {
    try (Program program = new Program(seed)) {
      steps.forEach(program::run);
      return null;
    } catch (AssertionError | RuntimeException failure) {
      return failure;
    }
  }

  private static List<Step> randomSteps(Random random) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      steps.add(randomStep(random));
    }
    return steps;
  }

  private static Step randomStep(Random random) {
    int dice = random.nextInt(100);
    if (dice < 52) {
      long size = random.nextInt(8) == 0 ? 0 : random.nextLong(1L << random.nextInt(2, 13));
      long alignment = random.nextInt(6) == 0 ? 1L << random.nextInt(9) : 1;
      return new Step.Allocate(size, alignment);
    }
    if (dice < 92) {
      return new Step.Release(random.nextInt(1000));
    }
    if (dice < 95) {
      return new Step.Trim();
    }
    if (dice < 97) {
      return new Step.Install(random.nextLong(1000));
    }
    boolean faulty = random.nextBoolean();
    return new Step.Driver(faulty && random.nextBoolean(), faulty && random.nextBoolean());
  }

  private static DeviceProperties deviceFor(long seed) {
    Random random = new Random(seed);
    long granule = 1L << random.nextInt(7);
    long capacity = random.nextBoolean() ? 1 << 20 : 1L << random.nextInt(12, 16);
    return new DeviceProperties(
        "random device",
        MemorySize.of(capacity),
        MemorySize.of(random.nextLong(1, 1 << 16)),
        granule,
        256,
        Set.of(Feature.ADDRESS));
  }

  private static MemoryPoolsConfig configFor(long seed) {
    Random random = new Random(seed);
    if (random.nextInt(12) == 0) {
      return random.nextBoolean()
          ? MemoryPoolsConfig.subSlices()
          : MemoryPoolsConfig.exclusivePages();
    }
    List<MemoryPoolConfig> pools = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      pools.add(randomPool(random));
    }
    return new MemoryPoolsConfig.Explicit(pools);
  }

  private static MemoryPoolConfig randomPool(Random random) {
    MemorySize size = MemorySize.of(random.nextLong(1, 1L << random.nextInt(5, 13)));
    boolean bounded = random.nextBoolean();
    boolean timed = random.nextBoolean();
    return switch (random.nextInt(5)) {
      case 0 -> {
        var direct = MemoryPoolConfig.direct();
        yield bounded ? direct.withReclaimAt(size) : direct;
      }
      case 1 -> {
        var exclusive = MemoryPoolConfig.exclusive(size);
        yield timed ? exclusive.withDeallocPeriod(random.nextInt(20)) : exclusive;
      }
      default -> {
        // Pages of this size have magazines in front of them.
        boolean large = random.nextInt(3) == 0;
        size = large ? MemorySize.of(random.nextLong(64 << 10, 128 << 10)) : size;
        var sliced = MemoryPoolConfig.sliced(size);
        if (bounded) {
          // Rounded up, a page of this size is at most 64 bytes larger.
          sliced = sliced.withMaxPoolSize(size.plus(MemorySize.of(64)).times(random.nextInt(1, 4)));
        }
        if (random.nextInt(3) == 0) {
          sliced = sliced.withMaxSliceSize(MemorySize.of(1 + size.bytes() / 3));
        }
        yield timed ? sliced.withDeallocPeriod(random.nextInt(20)) : sliced;
      }
    };
  }

  /** A manager and its model, taken through the same steps. */
  private static final class Program implements AutoCloseable {

    private final SimulatedStorage device;
    private final FailingStorage storage;
    private final MemoryManager manager;
    private final PlainModel.ModelDriver driver = new PlainModel.ModelDriver();
    private final PlainModel model;
    private final List<Allocation> live = new ArrayList<>();

    Program(long seed) {
      this.device = new SimulatedStorage(deviceFor(seed));
      this.storage = new FailingStorage(device);
      boolean confined = seed % 2 == 0;
      MemoryManagerBuilder builder = MemoryManager.builder(storage).pools(configFor(seed));
      this.manager = (confined ? builder.confined() : builder).open();
      driver.capacity = device.properties().total().bytes();
      this.model = new PlainModel(manager.layout(), driver, confined);
    }

    void run(Step step) {
      switch (step) {
        case Step.Allocate(long byteSize, long alignment) -> allocate(byteSize, alignment);
        case Step.Release(int which) -> {
          if (!live.isEmpty()) {
            Allocation gone = live.remove(which % live.size());
            gone.close();
            model.released(gone);
          }
        }
        case Step.Trim() -> {
          manager.trim();
          model.trimmed();
        }
        case Step.Install(long seed) -> install(seed);
        case Step.Driver(boolean blocks, boolean frees) -> {
          driver.refusesBlocks = blocks;
          driver.refusesFrees = frees;
          storage.refuse(call -> call.kind() == Kind.ALLOCATE ? blocks : frees);
        }
      }
      model.check(manager);
      manager.checkInvariants();
      assertThat(device.allocated()).isEqualTo(manager.usage().reserved());
    }

    private void allocate(long byteSize, long alignment) {
      Allocation got = null;
      AllocationException error = null;
      try {
        got = manager.allocate(byteSize, alignment);
        live.add(got);
      } catch (AllocationException e) {
        error = e;
      }
      model.requested(byteSize, alignment, got, error);
    }

    private void install(long seed) {
      try {
        manager.install(configFor(seed));
        model.installed(manager.layout());
      } catch (PoolsInUseException e) {
        assertThat(live).isNotEmpty();
      } catch (DeviceMemoryException e) {
        assertThat(driver.refusesFrees).isTrue();
        model.trimmed();
      } catch (LayoutException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void close() {
      storage.recover();
      live.forEach(Allocation::close);
      manager.close();
      assertThat(device.allocated()).isEqualTo(MemorySize.ZERO);
      assertThat(manager.usage().reserved()).isEqualTo(MemorySize.ZERO);
    }
  }
}
