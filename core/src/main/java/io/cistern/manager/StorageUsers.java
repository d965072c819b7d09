package io.cistern.manager;

import io.cistern.storage.Storage;
import io.cistern.storage.StorageAdaptor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Which managers use a storage: what one of them holds idle can serve another before the device is
 * said to be out of memory.
 *
 * <p>Managers behind adaptors belong to the storage at the bottom. Nothing is kept alive here.
 */
final class StorageUsers {

  private static final Map<Storage, List<WeakReference<MemoryManager>>> USERS = new WeakHashMap<>();

  private StorageUsers() {}

  static void add(Storage storage, MemoryManager manager) {
    synchronized (USERS) {
      USERS
          .computeIfAbsent(StorageAdaptor.root(storage), root -> new ArrayList<>())
          .add(new WeakReference<>(manager));
    }
  }

  static void remove(Storage storage, MemoryManager manager) {
    synchronized (USERS) {
      List<WeakReference<MemoryManager>> users = USERS.get(StorageAdaptor.root(storage));
      if (users != null) {
        users.removeIf(user -> user.refersTo(manager) || user.refersTo(null));
      }
    }
  }

  /**
   * Cleans up all managers of a storage that this thread may call, none while one of them captures;
   * the caller holds no manager's lock.
   */
  static void trimAll(Storage storage) {
    List<MemoryManager> managers = of(storage);
    if (managers.stream().noneMatch(MemoryManager::isCapturing)) {
      managers.forEach(MemoryManager::trimIfOpen);
    }
  }

  private static List<MemoryManager> of(Storage storage) {
    List<MemoryManager> managers = new ArrayList<>();
    synchronized (USERS) {
      for (WeakReference<MemoryManager> user :
          USERS.getOrDefault(StorageAdaptor.root(storage), List.of())) {
        MemoryManager manager = user.get();
        if (manager != null && manager.admits(Thread.currentThread())) {
          managers.add(manager);
        }
      }
    }
    return managers;
  }
}
