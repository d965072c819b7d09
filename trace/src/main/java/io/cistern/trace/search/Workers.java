package io.cistern.trace.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do work side by side; results come in the order of the work. */
final class Workers implements AutoCloseable {

  private final ExecutorService threads;

  Workers(int count) {
    this.threads = Executors.newFixedThreadPool(count, Thread.ofPlatform().daemon().factory());
  }

  /**
   * Does all of it.
   *
   * @param work what is to be done
   * @param stop is run if something fails, so that the rest ends soon
   * @return the results
   * @throws IOException if some work did, the first of it
   */
  <T> List<T> run(List<? extends Callable<T>> work, Runnable stop) throws IOException {
    List<Future<T>> futures = new ArrayList<>();
    work.forEach(one -> futures.add(threads.submit(one)));
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        stop.run();
        throw failure(e);
      } catch (InterruptedException e) {
        stop.run();
        Thread.currentThread().interrupt();
        throw new IOException("the thread was interrupted while others worked for it", e);
      }
    }
    return results;
  }

  private static IOException failure(ExecutionException e) {
    return switch (e.getCause()) {
      case IOException io -> io;
      case RuntimeException defect -> throw defect;
      case Error error -> throw error;
      case null, default -> new IOException(e);
    };
  }

  /** Waits for what is at work. */
  @Override
  public void close() {
    threads.close();
  }
}
