package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cistern.MemorySize;
import io.cistern.gpu.GpuGraph;
import io.cistern.gpu.GpuStorage;
import io.cistern.gpu.GpuStream;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.DeviceInfo;
import io.cistern.storage.DeviceList;
import io.cistern.storage.Feature;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How devices are found and opened, and what is said where they are not. */
@SuppressWarnings("try") // Closing twice is what is tested.
public abstract class OpeningSuite extends GpuSuite {

  private static final StorageOptions DEFAULT = StorageOptions.DEFAULT;

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  protected OpeningSuite(FakeDriver.Kind kind, StorageProvider provider) {
    super(kind, provider);
  }

  private String kindName() {
    return kind().device();
  }

  /** Both devices are listed, and are what opening them gives. */
  @Test
  public void devicesAreListedAsTheyAreOpened() {
    DeviceList found = provider().devices();
    assertThat(found.devices())
        .extracting(device -> device.properties().name())
        .containsExactly("Fake GPU 0", "Fake GPU 1");
    assertThat(found.devices())
        .extracting(DeviceInfo::driver)
        .containsOnly(code("CUDA 12.4", "HIP 6.2.41134"));
    assertThat(found.devices().getFirst().settings().toString())
        .isEqualTo("{memory=device|async|pinned|managed, release-threshold=SIZE}");
    for (int index = 0; index < 2; index++) {
      try (GpuStorage storage = open(DEFAULT.withIndex(index))) {
        assertThat(storage.properties()).isEqualTo(found.devices().get(index).properties());
      }
    }
  }

  /** What a device is by default, and with options. */
  @Test
  public void optionsChangeTheDevice() {
    try (GpuStorage storage = open()) {
      assertThat(storage.properties().total()).isEqualTo(CAPACITY);
      assertThat(storage.properties().maxPageSize()).isEqualTo(MemorySize.ofMiB(16));
      assertThat(storage.properties().byteAlignment()).isEqualTo(256);
      assertThat(storage.properties().blockAlignment()).isEqualTo(256);
      assertThat(storage.properties().features())
          .containsExactlyInAnyOrder(Feature.COPY, Feature.ADDRESS);
    }
    StorageOptions options =
        DEFAULT
            .withByteAlignment(16)
            .withCapacity(MemorySize.ofMiB(8))
            .withMaxPageSize(MemorySize.ofMiB(1));
    try (GpuStorage storage = open(options)) {
      assertThat(storage.properties().byteAlignment()).isEqualTo(16);
      assertThat(storage.properties().total()).isEqualTo(MemorySize.ofMiB(8));
      assertThat(storage.properties().maxPageSize()).isEqualTo(MemorySize.ofMiB(1));
    }
  }

  /** An alignment that the drivers do not promise is refused. */
  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, 0, 1, 8, 48, 512, 1L << 20})
  public void anAlignmentThatCanNotBeIsRefused(long alignment) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(DEFAULT.withByteAlignment(alignment)))
        .withMessage(
            "device \"Fake GPU 0\" aligns to a power of two from 16 to 256 bytes, not to "
                + alignment
                + " bytes");
  }

  /** Settings that are not there, or not so, are named. */
  @Test
  public void wrongSettingsAreNamed() {
    assertRefused(
        DEFAULT.withSetting("speed", "9"),
        "a device of kind "
            + kindName()
            + " has no setting \"speed\", only memory, release-threshold");
    assertRefused(
        DEFAULT.withSetting("memory", "fast"),
        "the setting \"memory\" is one of device, async, pinned, managed, not \"fast\"");
    assertRefused(
        DEFAULT.withSetting("release-threshold", "1MiB"),
        "the setting \"release-threshold\" is for memory async, not for device");
    assertRefused(
        DEFAULT.withSetting("memory", "async").withSetting("release-threshold", "much"),
        "the setting \"release-threshold\" is a size such as 64MiB, not \"much\"");
    assertRefused(
        DEFAULT.withIndex(2), "there is no device " + kindName() + ":2; found of this kind: 2");
    assertRefused(
        DEFAULT.withIndex(-1), "there is no device " + kindName() + ":-1; found of this kind: 2");
  }

  private void assertRefused(StorageOptions options, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> open(options)).withMessage(message);
  }

  /** A library that is not there is a reason and no error. */
  @Test
  public void anAbsentLibraryIsNamed() {
    System.setProperty(kind().property(), "libcistern-has-no-such-driver.so");
    String why = "the library libcistern-has-no-such-driver.so can't be loaded here";
    assertThat(provider().devices()).isEqualTo(DeviceList.none(why));
    assertRefused(DEFAULT, "there is no device " + kindName() + ":0: " + why);
  }

  /** A driver that does not begin is a reason, with its code. */
  @ParameterizedTest
  @CsvSource({"100, CUDA_ERROR_NO_DEVICE, hipErrorNoDevice", "4711, unknown, unknown"})
  public void aDriverThatDoesNotBeginSaysItsCode(int code, String cuda, String hip) {
    fake().fail("cuInit", 0, code);
    String name = code(cuda, hip).equals("unknown") ? "a code without a name" : code(cuda, hip);
    String why = code("cuInit", "hipInit") + " gives " + name + " (" + code + ")";
    assertThat(provider().devices().whyNone()).isEqualTo(why);
    assertRefused(DEFAULT, "there is no device " + kindName() + ":0: " + why);
    fake().recover();
  }

  /** A driver without devices is a reason. */
  @Test
  public void aDriverWithoutDevicesIsNamed() {
    fake().set("devices", 0);
    assertThat(provider().devices().whyNone()).endsWith(".so knows no device");
  }

  /** A driver that lacks what everything needs is a reason. */
  @Test
  public void aDriverWithoutItsFunctionsIsNamed() {
    use(FakeDriver.of(kind(), "WITHOUT_ALLOCATE"));
    assertThat(provider().devices().whyNone())
        .endsWith("has no function " + code("cuMemAlloc_v2", "hipMalloc"));
  }

  /** An older driver loses what needs the functions that it lacks, and nothing else. */
  @Test
  public void anOlderDriverLosesOnlyWhatNeedsWhatItLacks() {
    use(FakeDriver.of(kind(), "WITHOUT_POOLS", "WITHOUT_GRAPHS", "WITHOUT_MANAGED"));
    assertThat(provider().devices().devices().getFirst().settings().toString())
        .isEqualTo("{memory=device|pinned}");
    assertLacks("async", code("cuMemPoolCreate", "hipMemPoolCreate"));
    assertLacks("managed", code("cuMemAllocManaged", "hipMallocManaged"));
    open("pinned").close();
    try (GpuStorage storage = open();
        GpuStream stream = GpuStream.open(storage);
        MemoryManager manager = manager(storage)) {
      stream.fill(manager.allocate(100), 0, 100, (byte) 1);
      stream.await();
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> GpuGraph.capture(stream, manager, () -> {}))
          .withMessageContaining(
              "has no function " + code("cuStreamBeginCapture_v2", "hipStreamBeginCapture"))
          .withMessageEndingWith(code("(CUDA 12.4)", "(HIP 6.2.41134)"));
    }
  }

  private void assertLacks(String memory, String function) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(memory))
        .withMessageStartingWith("device \"Fake GPU 0\" has no memory \"" + memory + "\": ")
        .withMessageContaining("has no function " + function)
        .withMessageEndingWith(code("(CUDA 12.4)", "(HIP 6.2.41134)"));
  }

  /** A device without managed memory says so; one that shares it at times only copies. */
  @Test
  public void managedMemoryIsAsTheDeviceHasIt() {
    fake().set("concurrent", 0);
    try (GpuStorage storage = open("managed")) {
      assertThat(storage.properties().has(Feature.HOST_ACCESS)).isFalse();
    }
    fake().set("managed", 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open("managed"))
        .withMessageContaining("the device does not support it");
  }

  /** Opening and closing makes exactly these calls. */
  @Test
  public void openingAndClosingIsExactlyThis() {
    provider().devices();
    fake().calls();
    open(DEFAULT.withIndex(1)).close();
    String[] looking = {
      "cuInit(0)",
      "cuDeviceGetCount()",
      "cuDeviceGet(0)",
      "cuDeviceGetName(256, 0)",
      "cuDeviceTotalMem_v2(0)",
      "cuDeviceGetAttribute(" + code("83", "24") + ", 0)",
      "cuDeviceGetAttribute(" + code("89", "9") + ", 0)",
      "cuDeviceGetAttribute(" + code("115", "88") + ", 0)"
    };
    String log = String.join("\n", fake().calls());
    assertThat(log).startsWith(String.join("\n", looking));
    assertThat(log)
        .endsWith(
            kind() == FakeDriver.Kind.CUDA
                ? """
                cuDevicePrimaryCtxRetain(1)
                cuCtxPushCurrent_v2(1)
                cuStreamCreate(1)
                cuCtxPopCurrent_v2()
                cuCtxPushCurrent_v2(1)
                cuStreamSynchronize(stream#1)
                cuCtxPopCurrent_v2()
                cuCtxPushCurrent_v2(1)
                cuStreamDestroy_v2(stream#1)
                cuCtxPopCurrent_v2()
                cuDevicePrimaryCtxRelease_v2(1)"""
                : """
                hipGetDevice()
                hipSetDevice(1)
                cuStreamCreate(1)
                hipSetDevice(0)
                hipGetDevice()
                hipSetDevice(1)
                cuStreamSynchronize(stream#1)
                hipSetDevice(0)
                hipGetDevice()
                hipSetDevice(1)
                cuStreamDestroy_v2(stream#1)
                hipSetDevice(0)""");
  }

  /** Each storage retains its device, and what one leaves is not another's. */
  @Test
  public void contextsAreRetainedOnceAStorage() {
    long each = kind() == FakeDriver.Kind.CUDA ? 1 : 0;
    try (GpuStorage first = open();
        GpuStorage second = open(DEFAULT.withIndex(1))) {
      assertThat(fake().count("contexts")).isEqualTo(2 * each);
      first.allocate(100);
      second.allocate(100);
      first.close();
      first.close();
      assertThat(fake().count("contexts")).isEqualTo(each);
      assertThat(fake().count("block")).isEqualTo(1);
      assertThatIllegalStateException().isThrownBy(() -> first.allocate(1));
    }
  }

  /** A stream of another device's storage is refused. */
  @Test
  public void aStreamNeedsAGpu() {
    try (SimulatedStorage other = SimulatedStorage.withCapacity(CAPACITY)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GpuStream.open(other))
          .withMessageContaining("needs the storage of a CUDA or HIP device");
    }
  }
}
