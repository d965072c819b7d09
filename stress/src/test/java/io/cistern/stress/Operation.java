package io.cistern.stress;

import java.util.Arrays;
import java.util.Random;

/** What a thread does, and how often among all. */
enum Operation {
  ALLOCATE(300),
  CLOSE(220),
  HAND_OVER(60),
  TAKE_OVER(50),
  USE(60),
  RETAIN(30),
  CONTEST(25),
  TAKE_PART(60),
  REPORT(6),
  TRIM(4),
  INSTALL(6),
  WINDOW(12),
  DRY_RUN(8),
  BEGIN_CAPTURE(3),
  END_CAPTURE(12),
  CAPTURE_ALONE(2),
  UNPIN(12),
  END_STREAM(3),
  CLOSE_MANAGER(2);

  private static final int ALL = Arrays.stream(values()).mapToInt(one -> one.weight).sum();

  private final int weight;

  Operation(int weight) {
    this.weight = weight;
  }

  static Operation any(Random random) {
    int left = random.nextInt(ALL);
    for (Operation operation : values()) {
      left -= operation.weight;
      if (left < 0) {
        return operation;
      }
    }
    throw new AssertionError("weights");
  }
}
