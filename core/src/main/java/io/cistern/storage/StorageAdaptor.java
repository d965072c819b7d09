package io.cistern.storage;

import java.util.Objects;

/**
 * A storage around another: one concern (a limit, counts, faults, a record) in a layer of its own.
 *
 * <p>Managers know the storage at the bottom by {@link #root}, so that memory that one of them
 * holds idle can serve another whatever adaptors stand between.
 */
public abstract class StorageAdaptor implements Storage {

  private final Storage delegate;

  /**
   * Makes an adaptor.
   *
   * @param delegate the storage that does the work
   */
  protected StorageAdaptor(Storage delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The storage that an adaptor, or a stack of them, stands around; itself if it is none. */
  public static Storage root(Storage storage) {
    Storage root = storage;
    while (root instanceof StorageAdaptor adaptor) {
      root = adaptor.delegate;
    }
    return root;
  }

  /** The storage that does the work. */
  public final Storage delegate() {
    return delegate;
  }

  @Override
  public DeviceProperties properties() {
    return delegate.properties();
  }

  @Override
  public StorageBlock allocate(long byteSize) {
    return delegate.allocate(byteSize);
  }

  @Override
  public void free(StorageBlock block) {
    delegate.free(block);
  }

  /** Closes the storage that does the work. */
  @Override
  public void close() {
    delegate.close();
  }
}
