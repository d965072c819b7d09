package io.cistern.storage;

import io.cistern.DeviceMemoryException;
import io.cistern.DeviceMemoryException.Reason;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A storage that refuses the calls it is told to, as a driver in trouble would. */
public final class FailingStorage extends StorageAdaptor {

  private final AtomicLong calls = new AtomicLong();
  private volatile Predicate<StorageCall> refuses = call -> false;
  private volatile Reason reason = Reason.DRIVER_FAILED;

  /**
   * Makes a storage that refuses nothing yet.
   *
   * @param delegate the storage that does the work
   */
  public FailingStorage(Storage delegate) {
    super(delegate);
  }

  /**
   * Refuses calls from here on.
   *
   * @param which true for a call that is to fail; called by many threads
   */
  public void refuse(Predicate<StorageCall> which) {
    refuse(which, Reason.DRIVER_FAILED);
  }

  /**
   * Refuses calls from here on, for a reason.
   *
   * @param which true for a call that is to fail; called by many threads
   * @param why what the refusals give as their reason
   */
  public void refuse(Predicate<StorageCall> which, Reason why) {
    Objects.requireNonNull(which, "which");
    reason = Objects.requireNonNull(why, "why");
    refuses = which;
  }

  /** Works again. */
  public void recover() {
    refuses = call -> false;
  }

  @Override
  public StorageBlock allocate(long byteSize) {
    failIfTold(StorageCall.Kind.ALLOCATE, byteSize);
    return super.allocate(byteSize);
  }

  @Override
  public void free(StorageBlock block) {
    failIfTold(StorageCall.Kind.FREE, block.byteSize());
    super.free(block);
  }

  private void failIfTold(StorageCall.Kind kind, long byteSize) {
    StorageCall call = new StorageCall(kind, calls.incrementAndGet(), byteSize);
    if (refuses.test(call)) {
      throw new DeviceMemoryException("told to refuse " + call, byteSize, reason);
    }
  }
}
