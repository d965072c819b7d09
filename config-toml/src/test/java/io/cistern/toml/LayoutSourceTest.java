package io.cistern.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.layout.LayoutException;
import io.cistern.layout.LayoutFault;
import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.Feature;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that show when pools meet a device still name their place in the file. */
class LayoutSourceTest {

  private static final DeviceProperties DEVICE = device(256);
  private static final DeviceProperties EXCLUSIVE_DEVICE =
      device(256, Feature.EXCLUSIVE_MEMORY_ONLY);

  private static DeviceProperties device(long alignment, Feature... features) {
    return new DeviceProperties(
        "test", MemorySize.ofGiB(4), MemorySize.ofGiB(1), alignment, alignment, Set.of(features));
  }

  private static void assertRefused(String text, DeviceProperties device, String message) {
    LayoutSource source = LayoutSource.parse(text, "my.toml");
    assertThatThrownBy(() -> source.resolve(device))
        .isInstanceOf(LayoutFileException.class)
        .hasMessage("my.toml:" + message)
        .hasCauseInstanceOf(LayoutException.class);
  }

  @Test
  void resolvesWhatTheFileSays() {
    LayoutSource source = LayoutSource.parse("pools = 'sub-slices'", "my.toml");
    assertThat(source.resolve(DEVICE))
        .isEqualTo(PoolLayout.resolve(source.layout().pools(), DEVICE));
    assertThat(source).hasToString("my.toml: " + source.layout());
  }

  /** The fields stand below {@code type} in line 4; {@code /} parts lines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "page_size = 0 | 5:13: pool 1: page_size is 0; it must be at least 1 byte",
        "page_size = 4 / max_slice_size = '0' |"
            + " 6:19: pool 1: max_slice_size is 0; it must be at least 1 byte",
        "page_size = 4 / max_pool_size = 0 |"
            + " 6:18: pool 1: max_pool_size is 0; it must be at least 1 byte",
        "max_slice_size = 512 / page_size = 4 |"
            + " 5:18: pool 1: max_slice_size 512 is larger than page_size 256"
            + " (both rounded up to alignment 256)",
        "page_size = 4 / max_pool_size = 255 |"
            + " 6:18: pool 1: max_pool_size 255 holds no page of 256 bytes"
            + " (page_size rounded up to alignment 256)",
        "page_size = 9223372036854775807 |"
            + " 5:13: pool 1: page_size 9223372036854775807 leaves the range up to 2^63-1"
            + " when rounded up",
      })
  void namesTheField(String fields, String message) {
    String text = "[[pools]]\ntype = 'direct'\n[[pools]]\ntype = 'sliced'\n";
    assertRefused(text + fields.replace(" / ", " \n "), DEVICE, message);
  }

  @Test
  void namesTheEntry() {
    assertRefused(
        "[[pools]]\ntype = 'direct'\n\n[[pools]]\npage_size = 4\ntype = 'sliced'",
        EXCLUSIVE_DEVICE,
        "6:8: pool 1: sliced pools are not available, the device can't share a block between slices");
    assertRefused(
        "\n" + "[[pools]]\ntype = 'direct'\n".repeat(300),
        DEVICE,
        "510:1: the list has 300 pools; at most 254 are possible");
  }

  @Test
  void namesThePools() {
    assertRefused(
        "persistent = 'enabled'\npools = [ ]",
        DEVICE,
        "2:9: the list of pools is empty; a layout needs at least one");
    assertRefused(
        "pools = 'sub-slices'",
        EXCLUSIVE_DEVICE,
        "1:9: the preset sub-slices is not available, the device can't share a block between slices");
  }

  @Test
  void aFaultOfTheDeviceIsNoneOfTheFile() {
    LayoutSource source = LayoutSource.parse("pools = 'exclusive-pages'", "my.toml");
    assertThatThrownBy(() -> source.resolve(device(48)))
        .isInstanceOfSatisfying(
            LayoutException.class,
            e -> assertThat(e.fault()).isEqualTo(new LayoutFault.BadAlignment(48)));
  }
}
