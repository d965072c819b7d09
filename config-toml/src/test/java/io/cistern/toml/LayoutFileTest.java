package io.cistern.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What layout files say, and how they are written. */
class LayoutFileTest {

  private static final String EVERY_FIELD =
      """
      persistent = "size-match"

      [[pools]]
      type = "exclusive"
      max_alloc_size = "1KiB"
      dealloc_period = 0

      [[pools]]
      type = "sliced"
      page_size = "64MiB"
      max_slice_size = "8MiB"
      max_pool_size = "2GiB"
      dealloc_period = 5000

      [[pools]]
      type = "direct"
      reclaim_at = "7B"
      """;

  private static final LayoutFile EVERY_FIELD_SET =
      new LayoutFile(
          MemoryPoolsConfig.of(
              MemoryPoolConfig.exclusive(MemorySize.ofKiB(1)).withDeallocPeriod(0),
              MemoryPoolConfig.sliced(MemorySize.ofMiB(64))
                  .withMaxSliceSize(MemorySize.ofMiB(8))
                  .withMaxPoolSize(MemorySize.ofGiB(2))
                  .withDeallocPeriod(5000),
              MemoryPoolConfig.direct().withReclaimAt(MemorySize.of(7))),
          PersistentMemory.SIZE_MATCH);

  private static final LayoutFile ONLY_NEEDED_FIELDS =
      new LayoutFile(
          MemoryPoolsConfig.of(
              MemoryPoolConfig.exclusive(MemorySize.ZERO),
              MemoryPoolConfig.sliced(MemorySize.MAX),
              MemoryPoolConfig.direct()),
          PersistentMemory.ENABLED);

  private static LayoutFile parse(String text) {
    return LayoutFile.parse(text, "test.toml");
  }

  private static MemorySize reclaimAt(String value) {
    LayoutFile layout = parse("pools = [{ type = 'direct', reclaim_at = " + value + " }]");
    MemoryPoolsConfig.Explicit pools = (MemoryPoolsConfig.Explicit) layout.pools();
    return ((MemoryPoolConfig.Direct) pools.pools().getFirst()).reclaimAt().orElseThrow();
  }

  @Test
  void readsEveryField() {
    assertThat(parse(EVERY_FIELD)).isEqualTo(EVERY_FIELD_SET);
  }

  @Test
  void writesEveryField() {
    assertThat(EVERY_FIELD_SET.toToml()).isEqualTo(EVERY_FIELD);
  }

  @Test
  void writesOnlyWhatIsSet() {
    assertThat(ONLY_NEEDED_FIELDS.toToml())
        .isEqualTo(
            """
            persistent = "enabled"

            [[pools]]
            type = "exclusive"
            max_alloc_size = "0B"

            [[pools]]
            type = "sliced"
            page_size = "9223372036854775807B"

            [[pools]]
            type = "direct"
            """);
    assertThat(parse(ONLY_NEEDED_FIELDS.toToml())).isEqualTo(ONLY_NEEDED_FIELDS);
  }

  @Test
  void writesAComment() {
    LayoutFile layout = new LayoutFile(MemoryPoolsConfig.subSlices(), PersistentMemory.DISABLED);
    String text = layout.toToml("measured: 12%\n\nbell \u0007 and [[pools]]\r\nend");
    assertThat(text)
        .isEqualTo(
            """
            # measured: 12%
            #
            # bell   and [[pools]]
            # end

            persistent = "disabled"
            pools = "sub-slices"
            """);
    assertThat(parse(text)).isEqualTo(layout);
  }

  @ParameterizedTest
  @EnumSource
  void presetsReadAndWrite(MemoryPoolsConfig.Preset preset) {
    LayoutFile layout = new LayoutFile(preset, PersistentMemory.ENABLED);
    assertThat(parse("pools = \"" + preset.text() + "\"")).isEqualTo(layout);
    assertThat(parse(layout.toToml())).isEqualTo(layout);
  }

  @ParameterizedTest
  @EnumSource
  void settingsReadAndWrite(PersistentMemory setting) {
    LayoutFile layout = new LayoutFile(MemoryPoolsConfig.subSlices(), setting);
    assertThat(parse("persistent = '" + setting.text() + "'\npools = 'sub-slices'"))
        .isEqualTo(layout);
    assertThat(parse(layout.toToml())).isEqualTo(layout);
  }

  @Test
  void anEmptyListReadsAndWrites() {
    LayoutFile layout =
        new LayoutFile(new MemoryPoolsConfig.Explicit(List.of()), PersistentMemory.ENABLED);
    assertThat(parse("pools = []")).isEqualTo(layout);
    assertThat(parse(layout.toToml())).isEqualTo(layout);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "0, 0",
        "4096, 4096",
        "+4096, 4096",
        "1_048_576, 1048576",
        "0x10_00, 4096",
        "0xfFfF, 65535",
        "0o777, 511",
        "0b1000_0000, 128",
        "9223372036854775807, 9223372036854775807",
        "0x7fffffffffffffff, 9223372036854775807",
        "\"64MiB\", 67108864",
        "'1.5 kib', 1536",
        "\"\"\"2GB\"\"\", 2147483648",
        "\"4\\u004biB\", 4096",
      })
  void readsSizes(String value, long bytes) {
    assertThat(reclaimAt(value)).isEqualTo(MemorySize.of(bytes));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFFpools = [{type='direct'}]",
        "# comment\r\n\r\npools = [ # list\r\n  { type = \"direct\" }, # entry\r\n]\r\n",
        "\t\"pools\" = [{ 'type' = '''direct''' }] # \"comment\n",
        "[[ pools ]]\ntype = \"\"\"\n\\u0064irect\"\"\"",
        "persistent = \"enabled\"\n[[\"pools\"]] # here\n  type=\"direct\"",
      })
  void readsTomlInAllItsForms(String text) {
    assertThat(parse(text))
        .isEqualTo(
            new LayoutFile(
                MemoryPoolsConfig.of(MemoryPoolConfig.direct()), PersistentMemory.ENABLED));
  }

  @Test
  void refusesWhatNoFileMaySay() {
    MemoryPoolsConfig pools =
        MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(1)).withDeallocPeriod(-1));
    assertThatThrownBy(() -> new LayoutFile(pools, PersistentMemory.ENABLED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a layout file holds periods of 0 and more, not -1");
    assertThatThrownBy(() -> new LayoutFile(pools, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> new LayoutFile(null, PersistentMemory.ENABLED))
        .isInstanceOf(NullPointerException.class);
  }
}
