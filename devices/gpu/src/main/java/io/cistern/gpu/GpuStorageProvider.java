package io.cistern.gpu;

import io.cistern.gpu.driver.GpuDialect;
import io.cistern.gpu.driver.GpuDriver;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Finds the devices of CUDA or HIP. Immutable; safe for many threads. */
public abstract class GpuStorageProvider implements StorageProvider {

  private final GpuDialect dialect;

  /**
   * For the modules of CUDA and HIP.
   *
   * @param dialect whose devices
   */
  @SuppressWarnings("exports") // Whoever can name the type may call this.
  protected GpuStorageProvider(GpuDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public final String name() {
    return dialect.kind();
  }

  @Override
  public final DeviceList devices() {
    try {
      return DeviceList.of(GpuDevice.all(dialect).stream().map(GpuStorageProvider::info).toList());
    } catch (NoDeviceException e) {
      return DeviceList.none(e.why());
    }
  }

  private static DeviceInfo info(GpuDevice device) {
    DeviceProperties properties =
        GpuStorage.properties(
            device, GpuMemory.DEVICE, device.totalByteSize(), StorageOptions.DEFAULT);
    GpuDriver driver = device.driver();
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        GpuMemory.SETTING,
        Arrays.stream(GpuMemory.values())
            .filter(memory -> memory.isThere(device))
            .map(GpuMemory::text)
            .collect(Collectors.joining("|")));
    if (GpuMemory.ASYNC.isThere(device)) {
      settings.put(GpuMemory.THRESHOLD_SETTING, "SIZE");
    }
    return new DeviceInfo(properties, driver.version(), Map.of(), settings);
  }

  /**
   * Opens a device.
   *
   * @throws IllegalArgumentException if there is no such device, or it can't be had with these
   *     options; says why
   */
  @Override
  public final Storage open(StorageOptions options) {
    return GpuStorage.open(dialect, options);
  }
}
