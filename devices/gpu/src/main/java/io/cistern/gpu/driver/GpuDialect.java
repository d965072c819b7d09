package io.cistern.gpu.driver;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What CUDA and HIP name and number differently.
 *
 * @param kind the kind of device, such as {@code cuda}
 * @param title its name for people
 * @param libraries the names of the driver's library, in the order they are tried
 * @param libraryProperty the system property that names another library
 * @param symbols the exported name of each function that this driver may have
 * @param managed the attribute that says whether there is managed memory
 * @param concurrent the attribute that says whether host and device may use it at the same time
 * @param pools the attribute that says whether there is stream-ordered memory
 * @param version how a version number is written
 */
public record GpuDialect(
    String kind,
    String title,
    List<String> libraries,
    String libraryProperty,
    Map<GpuCall, String> symbols,
    int managed,
    int concurrent,
    int pools,
    IntFunction<String> version) {

  /** Makes a dialect; lists and maps are copied. */
  public GpuDialect {
    libraries = List.copyOf(libraries);
    symbols = Map.copyOf(symbols);
  }
}
