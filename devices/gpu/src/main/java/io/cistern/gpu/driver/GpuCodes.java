package io.cistern.gpu.driver;

import io.cistern.DeviceMemoryException.Reason;
import java.util.Set;

/** What numbers of results mean; CUDA and HIP agree on these. */
public final class GpuCodes {

  /** It worked. */
  public static final int SUCCESS = 0;

  /** There is not enough memory. */
  public static final int OUT_OF_MEMORY = 2;

  /** An event's work is still to be done. */
  public static final int NOT_READY = 600;

  // Each of these stays: every later call in the context gives it again. In the order of numbers:
  // the driver is shutting down; an uncorrectable memory, then link error; illegal address; launch
  // timeout; destroyed context; assertion; hardware stack; illegal instruction; misaligned address;
  // address space; program counter; launch failure; unknown.
  private static final Set<Integer> LOST =
      Set.of(4, 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999);

  private GpuCodes() {}

  /** Why a call that gave a code failed. */
  public static Reason reason(int code) {
    if (code == OUT_OF_MEMORY) {
      return Reason.OUT_OF_MEMORY;
    }
    return LOST.contains(code) ? Reason.DEVICE_LOST : Reason.DRIVER_FAILED;
  }
}
