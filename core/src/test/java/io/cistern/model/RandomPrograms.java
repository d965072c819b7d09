package io.cistern.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs random programs, and makes those that fail short. */
public final class RandomPrograms {

  /** The steps of each program. */
  public static final int STEPS = 250;

  /**
   * A program that ran.
   *
   * @param steps the steps it took; the last one is the one that failed
   * @param expectation what the totals had to be in the end
   * @param failure why it failed; null if it did not
   */
  private record Ran(
      SetUp setUp, List<Step> steps, String expectation, @Nullable Throwable failure) {

    /** The program as a script. */
    String script() {
      StringBuilder text = new StringBuilder(setUp.text());
      steps.forEach(step -> text.append(step.line()).append('\n'));
      return text.append(expectation).append('\n').toString();
    }
  }

  private RandomPrograms() {}

  /**
   * Runs the program of a seed.
   *
   * @return the steps it took
   * @throws AssertionError if it fails; a shorter one that does is a script then, whose place the
   *     message tells
   */
  public static int check(long seed) {
    Ran ran = run(seed);
    if (ran.failure == null) {
      return ran.steps.size();
    }
    Ran shortest = shrink(ran);
    Path file = Path.of("target", "failing-programs", "seed-" + seed + ".script");
    String script = "# seed " + seed + ": " + shortest.failure + "\n" + shortest.script();
    write(file, script);
    throw new AssertionError(
        "cistern replay --script " + file.toAbsolutePath() + "\n" + script, shortest.failure);
  }

  /** The program of a seed as a script. */
  public static String script(long seed) {
    Ran ran = run(seed);
    if (ran.failure != null) {
      throw new AssertionError("seed " + seed + " fails", ran.failure);
    }
    return ran.script();
  }

  private static Ran run(long seed) {
    RandomProgram program = new RandomProgram(seed);
    return run(program.setUp(), program::next, STEPS);
  }

  private static Ran run(SetUp setUp, List<Step> steps) {
    Iterator<Step> next = steps.iterator();
    return run(setUp, _ -> next.next(), steps.size());
  }

  private static Ran run(SetUp setUp, Function<ProgramRun, Step> next, int count) {
    List<Step> taken = new ArrayList<>();
    String expectation = "";
    try (ProgramRun run = new ProgramRun(setUp)) {
      try {
        for (int i = 0; i < count; i++) {
          Step step = next.apply(run);
          taken.add(step);
          if (!run.step(step)) {
            taken.removeLast();
          }
        }
      } finally {
        expectation = run.expectation();
      }
      run.finish();
      return new Ran(setUp, taken, expectation, null);
    } catch (AssertionError | RuntimeException failure) {
      return new Ran(setUp, taken, expectation, failure);
    }
  }

  /** Takes out ever smaller runs of steps for as long as what is left still fails. */
  private static Ran shrink(Ran failing) {
    Ran shortest = failing;
    for (int run = failing.steps.size(); run > 0; run /= 2) {
      for (int at = 0; at + run <= shortest.steps.size(); ) {
        List<Step> fewer = new ArrayList<>(shortest.steps);
        fewer.subList(at, at + run).clear();
        Ran shorter = run(failing.setUp, fewer);
        if (shorter.failure != null) {
          shortest = shorter;
        } else {
          at += run;
        }
      }
    }
    return shortest;
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
