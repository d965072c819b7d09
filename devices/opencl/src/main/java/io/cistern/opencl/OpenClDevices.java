package io.cistern.opencl;

import static org.lwjgl.opencl.CL10.CL_DEVICE_TYPE_ALL;
import static org.lwjgl.opencl.CL10.CL_SUCCESS;
import static org.lwjgl.opencl.CL10.nclGetDeviceIDs;
import static org.lwjgl.opencl.CL10.nclGetPlatformIDs;

import io.cistern.ffi.NativeLibrary;
import io.cistern.ffi.NativeLookupException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.lwjgl.PointerBuffer;
import org.lwjgl.opencl.CL;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Platform;

/**
 * The devices of all platforms on this machine, in the order in which the drivers name them.
 *
 * @param devices those that can be used
 * @param whyNone what is missing, if there are none
 */
record OpenClDevices(List<OpenClDevice> devices, String whyNone) {

  /** What systems have that build programs too. */
  private static final String UNVERSIONED_LIBRARY = "libOpenCL.so";

  private static final String VERSIONED_LIBRARY = "libOpenCL.so.1";

  static OpenClDevices find() {
    String missing = Library.WHY_NOT;
    if (!missing.isEmpty()) {
      return new OpenClDevices(List.of(), missing);
    }
    try {
      return found();
    } catch (RuntimeException e) {
      return new OpenClDevices(List.of(), "a driver fails: " + e.getMessage());
    }
  }

  private static OpenClDevices found() {
    long[] platforms = handles((count, room, used) -> nclGetPlatformIDs(count, room, used));
    if (platforms.length == 0) {
      return new OpenClDevices(List.of(), "no OpenCL driver is installed: there is no platform");
    }
    List<OpenClDevice> devices = new ArrayList<>();
    for (long platform : platforms) {
      long[] handles =
          handles(
              (count, room, used) ->
                  nclGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, room, used));
      LongStream.of(handles)
          .filter(OpenClDevice::isUsable)
          .mapToObj(OpenClDevice::of)
          .forEach(devices::add);
    }
    return new OpenClDevices(
        devices, devices.isEmpty() ? "no driver has a device of OpenCL 1.2 or newer" : "");
  }

  /** A query for handles, which is first asked for their number. */
  private interface Query {
    int ask(int count, long address, long countAddress);
  }

  /** What there is; nothing if the query fails, as it does where there is nothing. */
  private static long[] handles(Query query) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      var count = stack.callocInt(1);
      if (query.ask(0, 0, MemoryUtil.memAddress(count)) != CL_SUCCESS || count.get(0) == 0) {
        return new long[0];
      }
      PointerBuffer handles = stack.callocPointer(count.get(0));
      query.ask(count.get(0), MemoryUtil.memAddress(handles), 0);
      long[] found = new long[handles.remaining()];
      handles.get(found);
      return found;
    }
  }

  /** Loads the library once. */
  private static final class Library {

    /** Empty if the library is there. */
    static final String WHY_NOT = load();

    private static String load() {
      // Else the binding looks for one name when its class is loaded, and stays broken without it.
      Configuration.OPENCL_EXPLICIT_INIT.set(true);
      try {
        if (!isLoaded()) {
          create();
        }
        return "";
      } catch (NativeLookupException | LinkageError e) {
        return "no OpenCL library: " + firstLine(e);
      }
    }

    /** A user of the same binding may have been here before. */
    private static boolean isLoaded() {
      try {
        CL.getFunctionProvider();
        return true;
      } catch (IllegalStateException e) {
        return false;
      }
    }

    /** The binding prints advice when it finds no library, so it is asked for one that is there. */
    private static void create() {
      if (Configuration.OPENCL_LIBRARY_NAME.get() != null || Platform.get() != Platform.LINUX) {
        CL.create();
      } else {
        CL.create(isThere(UNVERSIONED_LIBRARY) ? UNVERSIONED_LIBRARY : versioned());
      }
    }

    private static boolean isThere(String library) {
      try {
        NativeLibrary.open(library);
        return true;
      } catch (NativeLookupException e) {
        return false;
      }
    }

    private static String versioned() {
      return NativeLibrary.open(VERSIONED_LIBRARY).name();
    }

    private static String firstLine(Throwable e) {
      return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
  }
}
