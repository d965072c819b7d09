package io.cistern.vulkan;

import io.cistern.storage.Storage;
import io.cistern.testkit.StorageContract;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Every kind of Vulkan memory passes the contract of all storages. */
class VulkanStorageContractTest {

  @BeforeAll
  static void needADevice() {
    Lavapipe.need();
  }

  @Nested
  class DeviceLocal extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS);
    }
  }

  @Nested
  class HostVisible extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS.withSetting("memory", "host-visible"));
    }
  }

  @Nested
  class HostCached extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS.withSetting("memory", "host-cached"));
    }
  }

  @Nested
  class OfAnIndex extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS.withSetting("memory-type", "0"));
    }
  }

  @Nested
  class NotCoherent extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS, Lavapipe::incoherent);
    }
  }

  @Nested
  class NotSeenByTheHost extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS, Lavapipe::unseen);
    }
  }

  @Nested
  class NotSeenByTheHostAndWithoutAQueue extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(
          Lavapipe.OPTIONS,
          setup -> {
            DeviceSetup unseen = Lavapipe.unseen(setup);
            return new DeviceSetup(
                unseen.name(),
                unseen.device(),
                Optional.empty(),
                unseen.limits(),
                unseen.budget(),
                unseen.calls(),
                unseen.end());
          });
    }
  }

  @Nested
  class WithALargeAlignment extends StorageContract {
    @Override
    protected Storage open() {
      return Lavapipe.open(Lavapipe.OPTIONS.withByteAlignment(1L << 16), Lavapipe::unseen);
    }
  }
}
