package io.cistern.manager;

/**
 * While it is open, the requests of its manager go to the persistent pool: exact-size slices for
 * data that stays.
 *
 * <p>Windows nest: the pools are the layout's again when the outermost is closed. A window holds
 * for all threads of the manager; any thread may close it, and closing it twice is harmless.
 */
public final class PersistentWindow implements AutoCloseable {

  private final MemoryManager manager;
  private boolean open = true; // guarded by the manager's lock

  PersistentWindow(MemoryManager manager) {
    this.manager = manager;
  }

  /** Closes this window; inside a capture that takes effect at the capture's end. */
  @Override
  public void close() {
    manager.locked(
        () -> {
          if (open) {
            open = false;
            manager.windows().addPersistent(-1);
          }
        });
  }
}
