package io.cistern.opencl.program;

import io.cistern.opencl.OpenClStorage;
import io.cistern.opencl.OpenClStorageProvider;
import io.cistern.storage.StorageOptions;

/** A user's program, which runs in a JVM of its own. */
public final class ListDevices {

  private ListDevices() {}

  /** Says why there is no device, twice: to who lists and to who opens. */
  public static void main(String[] args) {
    System.out.println(new OpenClStorageProvider().devices());
    try {
      OpenClStorage.open(StorageOptions.DEFAULT);
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage());
    }
  }
}
