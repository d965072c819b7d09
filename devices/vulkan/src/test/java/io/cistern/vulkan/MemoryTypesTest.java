package io.cistern.vulkan;

import static io.cistern.vulkan.Lavapipe.CACHED;
import static io.cistern.vulkan.Lavapipe.COHERENT;
import static io.cistern.vulkan.Lavapipe.DEVICE_LOCAL;
import static io.cistern.vulkan.Lavapipe.HOST_VISIBLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cistern.storage.StorageOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory type is chosen by what is asked for, on the types of several real devices. */
class MemoryTypesTest {

  private static final int LAZY = 0x10;
  private static final int PROTECTED = 0x20;
  private static final int AMD_COHERENT = 0x40;
  private static final long GIB = 1L << 30;

  /** A card with a small window, through which the host sees its memory. */
  private static final VulkanLimits CARD =
      limits(
          List.of(8 * GIB, 16 * GIB, GIB / 4),
          new MemoryType(0, 0, 1),
          new MemoryType(1, DEVICE_LOCAL, 0),
          new MemoryType(2, HOST_VISIBLE | COHERENT, 1),
          new MemoryType(3, HOST_VISIBLE | COHERENT | CACHED, 1),
          new MemoryType(4, DEVICE_LOCAL | HOST_VISIBLE | COHERENT, 2));

  /** A processor's own graphics: one heap, with types that need more than asking. */
  private static final VulkanLimits SHARED =
      limits(
          List.of(12 * GIB),
          new MemoryType(0, DEVICE_LOCAL | PROTECTED, 0),
          new MemoryType(1, DEVICE_LOCAL | LAZY, 0),
          new MemoryType(2, DEVICE_LOCAL | HOST_VISIBLE | CACHED, 0),
          new MemoryType(3, DEVICE_LOCAL | HOST_VISIBLE | COHERENT | AMD_COHERENT, 0),
          new MemoryType(4, DEVICE_LOCAL | HOST_VISIBLE | COHERENT, 0));

  private static VulkanLimits limits(List<Long> heaps, MemoryType... types) {
    return new VulkanLimits(4096, GIB, 1024, 64, 64, 64, 16, 16, List.of(types), heaps);
  }

  private static int choose(VulkanLimits limits, String name, String value) {
    return MemoryTypes.choose(StorageOptions.DEFAULT.withSetting(name, value), limits, "it")
        .index();
  }

  @Test
  void aCardsOwnMemoryIsTheLargeHeap() {
    assertThat(MemoryTypes.choose(StorageOptions.DEFAULT, CARD, "it").index()).isOne();
    assertThat(choose(CARD, "memory", "device-local")).isOne();
  }

  @Test
  void hostVisibleMemoryIsCoherentAndNoMoreThanThat() {
    assertThat(choose(CARD, "memory", "host-visible")).isEqualTo(2);
    assertThat(choose(SHARED, "memory", "host-visible")).isEqualTo(4);
  }

  @Test
  void hostCachedMemoryIsCoherentWhereThatIsToBeHad() {
    assertThat(choose(CARD, "memory", "host-cached")).isEqualTo(3);
    assertThat(choose(SHARED, "memory", "host-cached")).isEqualTo(2);
  }

  @Test
  void typesThatNeedMoreThanAskingAreLeftOut() {
    assertThat(choose(SHARED, "memory", "device-local")).isEqualTo(2);
  }

  @Test
  void copiesGoThroughCoherentMemory() {
    assertThat(MemoryTypes.forStaging(CARD, "it").index()).isEqualTo(2);
  }

  @Test
  void anIndexIsTakenAsItIs() {
    assertThat(choose(CARD, "memory-type", "0")).isZero();
    assertThat(choose(CARD, "memory-type", "4")).isEqualTo(4);
  }

  @Test
  void whatIsNotThereIsRefusedWithWhatIs() {
    VulkanLimits plain = limits(List.of(GIB), new MemoryType(0, HOST_VISIBLE | COHERENT, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> choose(plain, "memory", "host-cached"))
        .withMessage(
            "device \"it\" has no memory for the setting \"memory=host-cached\"; its memory types"
                + " are 0 (HOST_VISIBLE|HOST_COHERENT, heap 0)");
    for (String index : List.of("5", "-1", "x", "")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> choose(CARD, "memory-type", index))
          .withMessageContaining("\"memory-type=" + index + "\"")
          .withMessageContaining("1 (DEVICE_LOCAL, heap 0), 2 (");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> choose(SHARED, "memory-type", "3"))
        .withMessageContaining("3 (DEVICE_LOCAL|HOST_VISIBLE|HOST_COHERENT|0x40, heap 0)")
        .withMessageContaining("1 (DEVICE_LOCAL|LAZILY_ALLOCATED, heap 0)");
  }

  @Test
  void settingsThatCanNotBeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> choose(CARD, "memory", "fast"))
        .withMessageContaining("device-local, host-visible, host-cached");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> choose(CARD, "speed", "fast"))
        .withMessageContaining("only memory, memory-type");
    StorageOptions both =
        StorageOptions.DEFAULT
            .withSetting("memory", "device-local")
            .withSetting("memory-type", "0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemoryTypes.choose(both, CARD, "it"))
        .withMessageContaining("\"memory-type\"");
  }

  @Test
  void slicesAreAlignedForAnythingBesideAnything() {
    assertThat(CARD.byteAlignment()).isEqualTo(1024);
    assertThat(new VulkanLimits(1, 1, 1, 128, 4096, 256, 64, 16, List.of(), List.of()))
        .returns(256L, VulkanLimits::byteAlignment);
    assertThat(new VulkanLimits(1, 1, 1, 128, 4096, 64, 64, 16, List.of(), List.of()))
        .returns(128L, VulkanLimits::byteAlignment);
  }
}
