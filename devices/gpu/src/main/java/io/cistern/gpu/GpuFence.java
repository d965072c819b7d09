package io.cistern.gpu;

import io.cistern.storage.Fence;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An event behind a stream's work. Once it has passed, its event serves another fence.
 *
 * <p>Safe for many threads.
 */
final class GpuFence implements Fence {

  private final Consumer<GpuHandle> givenBack;
  private @Nullable GpuHandle event; // guarded by this; null once passed

  GpuFence(GpuHandle event, Consumer<GpuHandle> givenBack) {
    this.event = event;
    this.givenBack = givenBack;
  }

  @Override
  public synchronized boolean hasPassed() {
    if (event != null && event.hasPassed()) {
      givenBack.accept(event);
      event = null;
    }
    return event == null;
  }
}
