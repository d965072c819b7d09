package io.cistern.model;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Sections 5 to 11: random programs over all operations on random layouts, against the plain model,
 * with every equation of the bookkeeping checked after each step. A program that fails is made as
 * short as it will go and written as a script. {@code -Dcistern.seed=N} runs one seed alone.
 */
class RandomProgramsTest {

  private static final int PROGRAMS = 600;

  @TestFactory
  List<DynamicTest> rulesHoldAfterEachStep() {
    Long seed = Long.getLong("cistern.seed");
    LongStream seeds = seed != null ? LongStream.of(seed) : LongStream.range(0, PROGRAMS);
    return seeds
        .mapToObj(one -> DynamicTest.dynamicTest("seed " + one, () -> RandomPrograms.check(one)))
        .toList();
  }
}
