package io.cistern.conformance.scenarios;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The threads that a scenario names: real ones, which live until they are told to end. */
final class Threads implements AutoCloseable {

  private final Map<String, ExecutorService> threads = new HashMap<>();

  /** Does something on a thread, and goes on when it is done. */
  void on(String name, Runnable work) {
    join(thread(name).submit(work));
  }

  /** Does several things on a thread each, started together. */
  void together(Map<String, Runnable> bodies) {
    CyclicBarrier start = new CyclicBarrier(Math.max(1, bodies.size()));
    List<Future<?>> running = new ArrayList<>();
    for (var body : bodies.entrySet()) {
      running.add(
          thread(body.getKey())
              .submit(
                  () -> {
                    await(start);
                    body.getValue().run();
                  }));
    }
    running.forEach(Threads::join);
  }

  /** Ends a thread, and goes on when it has ended. */
  void end(String name) {
    ExecutorService thread = threads.remove(name);
    if (thread != null) {
      thread.close();
    }
  }

  private ExecutorService thread(String name) {
    return threads.computeIfAbsent(
        name,
        _ -> Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory()));
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError("the threads did not start together", e);
    }
  }

  private static void join(Future<?> work) {
    try {
      work.get();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException fault -> throw fault;
        case Error fault -> throw fault;
        default -> throw new AssertionError(e.getCause());
      }
    }
  }

  @Override
  public void close() {
    List.copyOf(threads.keySet()).forEach(this::end);
  }
}
