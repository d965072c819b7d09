package io.cistern.benchmarks;

import io.cistern.manager.Allocation;
import io.cistern.manager.Capture;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Fence;
import java.time.Duration;

/** What a manager has many of while a request is measured. */
public enum Kept {

  /** Closed slices, each with a fence of its own that has not passed. */
  PENDING_EACH {
    @Override
    void keep(MemoryManager manager, int count) {
      for (int i = 0; i < count; i++) {
        closeWith(new NeverPassed(), manager.allocate(SIZE));
      }
    }
  },

  /** Closed slices, all with one fence that has not passed. */
  PENDING_SHARED {
    @Override
    void keep(MemoryManager manager, int count) {
      Fence fence = new NeverPassed();
      for (int i = 0; i < count; i++) {
        closeWith(fence, manager.allocate(SIZE));
      }
    }
  },

  /** Slices that a capture handed out and pinned; the pair asks the same pool for the same size. */
  PINNED {
    @Override
    void keep(MemoryManager manager, int count) {
      Capture capture = manager.beginCapture();
      for (int i = 0; i < count; i++) {
        manager.allocate(SIZE).close();
      }
      capture.end();
      manager.openPersistentWindow();
    }
  },

  /** Live persistent slices of one size; the pair is persistent too. */
  PERSISTENT {
    @Override
    void keep(MemoryManager manager, int count) {
      manager.openPersistentWindow();
      for (int i = 0; i < count; i++) {
        manager.allocate(SIZE);
      }
    }
  },

  /** Live persistent slices of 64 sizes; the pairs are persistent too, and of one after another. */
  PERSISTENT_64 {
    @Override
    void keep(MemoryManager manager, int count) {
      manager.openPersistentWindow();
      for (int i = 0; i < count; i++) {
        manager.allocate(byteSize(i));
      }
    }

    @Override
    long byteSize(int index) {
      return SIZE * (1 + index % SIZES);
    }
  },

  /** Live slices. */
  LIVE {
    @Override
    void keep(MemoryManager manager, int count) {
      for (int i = 0; i < count; i++) {
        manager.allocate(SIZE);
      }
    }
  };

  static final int SIZES = 64;
  static final long SIZE = 512;

  /** Makes what is kept. */
  abstract void keep(MemoryManager manager, int count);

  /** The size of the measured request of some number. */
  long byteSize(int index) {
    return SIZE;
  }

  private static void closeWith(Fence fence, Allocation allocation) {
    allocation.usedUntil(fence);
    allocation.close();
  }

  /** Device work without end. Objects, not constants: each is a fence of its own. */
  private static final class NeverPassed implements Fence {
    @Override
    public boolean hasPassed() {
      return false;
    }

    @Override
    public boolean await(Duration atMost) {
      return false;
    }
  }
}
