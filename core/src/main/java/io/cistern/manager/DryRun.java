package io.cistern.manager;

/**
 * While it is open, the pools of its manager grow by pages that the driver does not stand behind:
 * they are cut up and counted in every mark, and cost no memory. Asking an allocation for its
 * memory maps its page.
 *
 * <p>Dry runs nest. One holds for all threads of the manager; any thread may close it, and closing
 * it twice is harmless. A page that is left unmapped is mapped before a normal request uses it.
 */
public final class DryRun implements AutoCloseable {

  private final MemoryManager manager;
  private boolean open = true; // guarded by the manager's lock

  DryRun(MemoryManager manager) {
    this.manager = manager;
  }

  /** Ends this dry run. */
  @Override
  public void close() {
    manager.locked(
        () -> {
          if (open) {
            open = false;
            manager.windows().dryRuns().end();
          }
        });
  }
}
