package io.cistern.stress;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** One thread of many: does random things in a world. */
final class Worker {

  private final World world;
  private final Random random;
  private final HandleSteps handles;
  private final ManagerSteps managers;
  private final Map<Operation, Long> done = new EnumMap<>(Operation.class);

  Worker(World world, Random random) {
    this.world = world;
    this.random = random;
    this.handles = new HandleSteps(world, random);
    this.managers = new ManagerSteps(world, random);
  }

  void step() {
    Operation operation = Operation.any(random);
    switch (operation) {
      case ALLOCATE -> handles.allocate(world.anyTarget(random));
      case CLOSE -> handles.close();
      case HAND_OVER -> handles.handOver();
      case TAKE_OVER -> handles.takeOver();
      case USE -> handles.use();
      case RETAIN -> handles.retain();
      case CONTEST -> handles.contest();
      case TAKE_PART -> handles.takePart();
      case REPORT -> managers.report();
      case TRIM -> managers.trim();
      case INSTALL -> managers.install();
      case WINDOW -> managers.window();
      case DRY_RUN -> managers.dryRun();
      case BEGIN_CAPTURE -> managers.beginCapture();
      case END_CAPTURE -> managers.endCapture();
      case CAPTURE_ALONE -> managers.captureAlone();
      case UNPIN -> managers.unpin();
      case END_STREAM -> world.endStream(random.nextInt(World.STREAMS));
      case CLOSE_MANAGER -> managers.replaceBrief();
    }
    done.merge(operation, 1L, Long::sum);
  }

  /** Leaves what this thread still holds to others. */
  void finish() {
    handles.finish();
  }

  Map<Operation, Long> done() {
    return done;
  }

  long refused() {
    return handles.refused();
  }

  long installed() {
    return managers.installed();
  }
}
