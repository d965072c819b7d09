package io.cistern.gpu.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.gpu.GpuStorage;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.Storage;
import io.cistern.storage.StorageOptions;
import io.cistern.storage.StorageProvider;
import io.cistern.testkit.StorageContract;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of CUDA and HIP begin with: a fresh fake driver, which is empty at the end. */
public abstract class GpuSuite {

  /** The memory of each fake device. */
  protected static final MemorySize CAPACITY = MemorySize.ofMiB(64);

  /** Pools whose pages are asked for one at a time. */
  protected static final MemoryPoolsConfig PAGES_OF_1_MIB =
      new MemoryPoolsConfig.Explicit(List.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1))));

  private final FakeDriver.Kind kind;
  private final StorageProvider provider;
  private FakeDriver fake;

  /**
   * For subclasses.
   *
   * @param kind whose driver
   * @param provider whose devices
   */
  @SuppressWarnings("NullAway.Init") // JUnit calls begin first.
  protected GpuSuite(FakeDriver.Kind kind, StorageProvider provider) {
    this.kind = kind;
    this.provider = provider;
  }

  /** Runs before each test. */
  @BeforeEach
  public final void begin() {
    use(FakeDriver.of(kind));
  }

  /** Uses a driver from here on. */
  protected final void use(FakeDriver driver) {
    fake = driver;
    fake.reset(CAPACITY);
    System.setProperty(kind.property(), fake.library().toString());
  }

  /** Runs after each test. */
  @AfterEach
  public final void nothingIsLive() {
    System.clearProperty(kind.property());
    assertThat(fake.live()).as("what is live at the end").isEmpty();
    assertThat(fake.count("depth")).as("contexts pushed and not popped").isZero();
  }

  /** Whose driver. */
  protected final FakeDriver.Kind kind() {
    return kind;
  }

  /** The driver. */
  protected final FakeDriver fake() {
    return fake;
  }

  /** The provider. */
  protected final StorageProvider provider() {
    return provider;
  }

  /** Opens a device. */
  protected final GpuStorage open(StorageOptions options) {
    return (GpuStorage) provider.open(options);
  }

  /** Opens the first device with a kind of memory. */
  protected final GpuStorage open(String memory) {
    return open(StorageOptions.DEFAULT.withSetting("memory", memory));
  }

  /** Opens the first device as it is. */
  protected final GpuStorage open() {
    return open(StorageOptions.DEFAULT);
  }

  /** Opens a manager with pages of 1 MiB. */
  protected static MemoryManager manager(Storage storage) {
    return MemoryManager.open(storage, PAGES_OF_1_MIB);
  }

  /** An error's code as a driver of this kind names it. */
  protected final String code(String cuda, String hip) {
    return kind == FakeDriver.Kind.CUDA ? cuda : hip;
  }

  /** HIP keeps a lost device's objects until the process ends. */
  protected final void forgetWhatHipKeeps() {
    if (kind == FakeDriver.Kind.HIP) {
      fake.reset(CAPACITY);
    }
  }

  /** The contract on a fake device with a kind of memory. */
  public abstract static class Contract extends StorageContract {

    private final FakeDriver.Kind kind;
    private final StorageProvider provider;
    private final String memory;

    /**
     * For subclasses.
     *
     * @param kind whose driver
     * @param provider whose devices
     * @param memory the kind of memory
     */
    protected Contract(FakeDriver.Kind kind, StorageProvider provider, String memory) {
      this.kind = kind;
      this.provider = provider;
      this.memory = memory;
    }

    @Override
    protected final Storage open() {
      FakeDriver fake = FakeDriver.of(kind);
      if (fake.live().isEmpty()) {
        fake.reset(CAPACITY);
      }
      System.setProperty(kind.property(), fake.library().toString());
      return provider.open(
          StorageOptions.DEFAULT.withCapacity(CAPACITY).withSetting("memory", memory));
    }

    /** Runs after each test, before the storage is closed once more. */
    @AfterEach
    public final void endProperty() {
      System.clearProperty(kind.property());
    }
  }
}
