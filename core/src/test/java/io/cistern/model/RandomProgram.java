package io.cistern.model;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Makes a program up as it runs, so that most steps name what is there. */
final class RandomProgram {

  private final Random random;
  private final SetUp setUp;
  private int names;

  RandomProgram(long seed) {
    this.random = new Random(seed);
    this.setUp = randomSetUp();
  }

  SetUp setUp() {
    return setUp;
  }

  private SetUp randomSetUp() {
    long granule = 1L << random.nextInt(7);
    long capacity = random.nextBoolean() ? 1 << 20 : 1L << random.nextInt(12, 16);
    DeviceProperties device =
        new DeviceProperties(
            "random device",
            MemorySize.of(capacity),
            MemorySize.of(random.nextLong(1, 1 << 16)),
            granule,
            256,
            Set.of(Feature.ADDRESS));
    return new SetUp(
        device,
        randomPools(),
        one(List.of(PersistentMemory.values())),
        random.nextBoolean(),
        one(List.of(SetUp.Managers.values())));
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private MemoryPoolsConfig randomPools() {
    if (random.nextInt(12) == 0) {
      return one(List.of(MemoryPoolsConfig.subSlices(), MemoryPoolsConfig.exclusivePages()));
    }
    List<MemoryPoolConfig> pools = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      pools.add(randomPool());
    }
    return new MemoryPoolsConfig.Explicit(pools);
  }

  private MemoryPoolConfig randomPool() {
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
        // Pages of this size have shelves in front of them, unless one thread has them alone.
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

  private String newName(char kind) {
    return "" + kind + ++names;
  }

  private int stream() {
    return setUp.managers() == SetUp.Managers.STREAMS ? random.nextInt(1, 4) : 0;
  }

  private String name(Set<String> among) {
    return among.isEmpty() ? "nothing" : one(List.copyOf(among));
  }

  /** The next step of a run. */
  Step next(ProgramRun run) {
    int dice = random.nextInt(100);
    if (dice < 42) {
      long size = random.nextInt(8) == 0 ? 0 : random.nextLong(1L << random.nextInt(2, 13));
      long alignment = random.nextInt(6) == 0 ? 1L << random.nextInt(9) : 1;
      return new Step.Allocate(newName('a'), stream(), size, alignment);
    }
    if (dice < 72) {
      return new Step.Close(name(run.handles.keySet()));
    }
    return switch (dice) {
      case 72, 73, 74 -> new Step.Retain(newName('r'), name(run.handles.keySet()));
      case 75, 76, 77, 78, 79 -> use(run);
      case 80, 81, 82 -> new Step.Pass(name(run.fences.keySet()));
      case 83, 84 -> new Step.Resolve(name(run.handles.keySet()));
      case 85 -> new Step.Window(newName('w'), stream());
      case 86 -> new Step.DryRun(newName('d'), stream());
      case 87 -> new Step.Capture(newName('c'), stream());
      case 88 -> new Step.Primed(name(run.captures.keySet()));
      case 89, 90 -> new Step.Pin(newName('p'), name(run.captures.keySet()));
      case 91, 92, 93, 94 -> new Step.End(name(run.opened.keySet()));
      case 95 -> new Step.Trim();
      case 96 -> new Step.Install(randomPools());
      case 97 -> new Step.CloseStream(stream());
      default -> {
        boolean faulty = random.nextBoolean();
        yield new Step.Driver(faulty && random.nextBoolean(), faulty && random.nextBoolean());
      }
    };
  }

  /** A fence is of work on one stream: only that stream's slices have it. */
  private Step use(ProgramRun run) {
    String handle = name(run.handles.keySet());
    ProgramRun.Handle on = run.handles.get(handle);
    List<String> fences =
        run.fenceStreams.entrySet().stream()
            .filter(fence -> on != null && fence.getValue() == on.stream())
            .map(fence -> fence.getKey())
            .toList();
    boolean again = !fences.isEmpty() && random.nextBoolean();
    return new Step.Use(handle, again ? one(fences) : newName('f'));
  }
}
