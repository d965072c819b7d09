package io.cistern.host;

import static io.cistern.host.Here.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cistern.host.HostMemoryOptions.HugePages;
import io.cistern.storage.StorageOptions;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostMemoryOptionsTest {

  @Test
  void withoutSettingsNothingIsAsked() {
    assertThat(HostMemoryOptions.of(StorageOptions.DEFAULT)).isEqualTo(HostMemoryOptions.DEFAULT);
  }

  @Test
  void eachSettingIsRead() {
    StorageOptions all =
        options("pinned", "true")
            .withSetting("pre-touch", "true")
            .withSetting("huge-pages", "explicit")
            .withSetting("numa-node", "70");
    assertThat(HostMemoryOptions.of(all))
        .isEqualTo(new HostMemoryOptions(true, HugePages.EXPLICIT, true, OptionalInt.of(70)))
        .isEqualTo(
            HostMemoryOptions.DEFAULT
                .withPinned(true)
                .withPreTouch(true)
                .withHugePages(HugePages.EXPLICIT)
                .withNumaNode(70));
    assertThat(HostMemoryOptions.of(options("huge-pages", "transparent")).hugePages())
        .isEqualTo(HugePages.TRANSPARENT);
    assertThat(HostMemoryOptions.of(options("pinned", "false")))
        .isEqualTo(HostMemoryOptions.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "pinned, yes, 'false, true'",
    "pre-touch, TRUE, 'false, true'",
    "huge-pages, 2MiB, 'none, transparent, explicit'"
  })
  void anotherValueIsRefusedNamingThoseThatThereAre(String name, String value, String values) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(options(name, value)))
        .withMessage(
            "the setting \"" + name + "\" is one of " + values + ", not \"" + value + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "", "none", "1.5", "2147483648", "99999999999"})
  void aNodeIsANumber(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(options("numa-node", value)))
        .withMessage(
            "the setting \"numa-node\" is the number of a node, from 0 on, not \"" + value + "\"");
  }

  @Test
  void anotherSettingIsRefusedNamingThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(options("memory-type", "1")))
        .withMessage(
            "a device of kind host has no setting \"memory-type\","
                + " only pinned, huge-pages, pre-touch, numa-node");
  }

  @Test
  void settingsAreGivenInOneWayOnly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostStorage.open(options("pinned", "true"), HostMemoryOptions.DEFAULT))
        .withMessage(
            "device \"host memory\" takes settings by name or as HostMemoryOptions, not both;"
                + " by name: pinned");
  }
}
