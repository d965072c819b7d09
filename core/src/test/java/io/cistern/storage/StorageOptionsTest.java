package io.cistern.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorageOptionsTest {

  private static final StorageOptions PINNED = StorageOptions.DEFAULT.withSetting("pinned", "yes");

  @Test
  void settingsAreKeptThroughOtherChanges() {
    StorageOptions options = PINNED.withIndex(2).withByteAlignment(64).withSetting("node", "1");
    assertThat(options.settings()).containsOnly(Map.entry("pinned", "yes"), Map.entry("node", "1"));
    assertThat(StorageOptions.DEFAULT.settings()).isEmpty();
  }

  @Test
  void aSettingHasOneOfItsValues() {
    assertThat(PINNED.setting("pinned", "no", "yes")).isEqualTo("yes");
    assertThat(StorageOptions.DEFAULT.setting("pinned", "no", "yes")).isEqualTo("no");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PINNED.setting("pinned", "true", "false"))
        .withMessage("the setting \"pinned\" is one of true, false, not \"yes\"");
  }

  @Test
  void unknownSettingsAreRefused() {
    assertThatNoException().isThrownBy(() -> PINNED.checkSettings("host", "node", "pinned"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PINNED.checkSettings("host", "node", "pages"))
        .withMessage("a device of kind host has no setting \"pinned\", only node, pages");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SimulatedStorage.open(PINNED))
        .withMessage("a device of kind simulated has no setting \"pinned\", and no other");
  }

  @Test
  void aListHasDevicesOrSaysWhyNot() {
    DeviceList found = new SimulatedStorageProvider().devices();
    assertThat(found.devices()).hasSize(1);
    assertThat(found.whyNone()).isEmpty();
    assertThat(DeviceList.none("no driver").devices()).isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> DeviceList.none(""));
    assertThatIllegalArgumentException().isThrownBy(() -> DeviceList.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceList(found.devices(), "no driver"));
  }
}
