package io.cistern.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs random programs, and makes those that fail short. */
public final class RandomPrograms {

  /** The steps of each program. */
  public static final int STEPS = 250;

  private RandomPrograms() {}

  /**
   * Runs the program of a seed.
   *
   * @return the steps it took
   * @throws AssertionError if it fails; a shorter one that does is a script then, whose place the
   *     message tells
   */
  public static int check(long seed) {
    RandomProgram program = new RandomProgram(seed);
    List<Step> steps = new ArrayList<>();
    Throwable failure = failureOf(program, steps);
    if (failure == null) {
      return steps.size();
    }
    List<Step> shortest = shrink(program.setUp(), steps);
    List<Step> taken = new ArrayList<>();
    Throwable last = failureOf(program.setUp(), shortest, taken);
    throw new AssertionError(
        "seed " + seed + " fails; " + written(seed, program.setUp(), taken, last), last);
  }

  /** The text of the program of a seed, as a script. */
  public static String script(long seed) {
    RandomProgram program = new RandomProgram(seed);
    List<Step> steps = new ArrayList<>();
    Throwable failure = failureOf(program, steps);
    if (failure != null) {
      throw new AssertionError("seed " + seed + " fails", failure);
    }
    return text(program.setUp(), steps);
  }

  private static String text(SetUp setUp, List<Step> steps) {
    StringBuilder text = new StringBuilder(setUp.text());
    steps.forEach(step -> text.append(step.line()).append('\n'));
    return text.toString();
  }

  private static String written(
      long seed, SetUp setUp, List<Step> steps, @Nullable Throwable failure) {
    String text = "# seed " + seed + ": " + failure + "\n" + text(setUp, steps);
    Path file = Path.of("target", "failing-programs", "seed-" + seed + ".script");
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "cistern replay --script " + file.toAbsolutePath() + "\n" + text;
  }

  /** Runs a program as it is made up; fills in its steps. */
  private static @Nullable Throwable failureOf(RandomProgram program, List<Step> steps) {
    try (ProgramRun run = new ProgramRun(program.setUp())) {
      for (int i = 0; i < STEPS; i++) {
        Step step = program.next(run);
        steps.add(step);
        if (!run.step(step)) {
          steps.removeLast();
        }
      }
      run.finish();
      return null;
    } catch (AssertionError | RuntimeException failure) {
      return failure;
    }
  }

  private static @Nullable Throwable failureOf(SetUp setUp, List<Step> steps, List<Step> taken) {
    try (ProgramRun run = new ProgramRun(setUp)) {
      for (Step step : steps) {
        taken.add(step);
        if (!run.step(step)) {
          taken.removeLast();
        }
      }
      run.finish();
      return null;
    } catch (AssertionError | RuntimeException failure) {
      return failure;
    }
  }

  /** Takes out ever smaller runs of steps for as long as what is left still fails. */
  private static List<Step> shrink(SetUp setUp, List<Step> failing) {
    List<Step> steps = failing;
    for (int run = steps.size(); run > 0; run /= 2) {
      for (int at = 0; at + run <= steps.size(); ) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.subList(at, at + run).clear();
        if (failureOf(setUp, fewer, new ArrayList<>()) != null) {
          steps = fewer;
        } else {
          at += run;
        }
      }
    }
    return steps;
  }
}
