package io.cistern.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same layouts as JSON objects. */
class JsonLayoutTest {

  @Test
  void readsPools() {
    assertThat(
            LayoutFile.parseJson(
                """
                {"pools": [{"type": "sliced", "page_size": "1MiB", "max_pool_size": 2097152},
                           {"dealloc_period": 7, "type": "exclusive", "max_alloc_size": 0}],
                 "persistent": "disabled"}
                """,
                "layout"))
        .isEqualTo(
            new LayoutFile(
                MemoryPoolsConfig.of(
                    MemoryPoolConfig.sliced(MemorySize.ofMiB(1))
                        .withMaxPoolSize(MemorySize.ofMiB(2)),
                    MemoryPoolConfig.exclusive(MemorySize.ZERO).withDeallocPeriod(7)),
                PersistentMemory.DISABLED));
  }

  @Test
  void readsPresets() {
    assertThat(LayoutFile.parseJson("{\"pools\":\"exclusive-pages\"}", "layout"))
        .isEqualTo(new LayoutFile(MemoryPoolsConfig.exclusivePages(), PersistentMemory.ENABLED));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | 1:1: there are no pools; write [[pools]] entries, or pools = one of \"sub-slices\", \"exclusive-pages\"",
        "`` | 1:1: a layout is an object with the keys pools and persistent",
        "[] | 1:1: a layout is an object with the keys pools and persistent",
        "` 5` | 1:2: a layout is an object with the keys pools and persistent",
        "{\"pools\": null} | 1:11: pools must be a list (each entry headed [[pools]]) or one of \"sub-slices\", \"exclusive-pages\", not nothing",
        "{\"pools\": [{\"type\": \"direct\", \"page_size\": 4}]} | 1:31: page_size belongs to sliced pools; a direct pool has reclaim_at",
        "{\"pools\": [{\"type\": \"direct\", \"reclaim_at\": -4}]} | 1:45: reclaim_at must be 0 to 9223372036854775807 (2^63-1), not -4",
        "{\"pools\": [{\"type\": \"direct\", \"type\": \"direct\"}]} | 1:31: type is set already in line 1",
        "{\"pools\": [{}]} | 1:12: this pool has no type; possible are \"exclusive\", \"direct\", \"sliced\"",
        "{\"pools\": []} {} | 1:15: can't read this: nothing may follow the layout",
        "{\"pools\": [} | 1:12: can't read this: Unexpected close marker '}': expected ']'",
        "{\"pools\": [ | 1:12: can't read this: Unexpected end-of-input: expected close marker for Array",
      })
  void namesThePlace(String text, String placeAndReason) {
    assertThatThrownBy(() -> LayoutFile.parseJson(text, "layout"))
        .isInstanceOf(LayoutFileException.class)
        .hasMessage("layout:" + placeAndReason);
  }

  @Test
  void refusesWhatIsNestedTooDeep() {
    assertThatThrownBy(() -> LayoutFile.parseJson("[".repeat(100_000), "layout"))
        .isInstanceOf(LayoutFileException.class)
        .hasMessageContaining(
            "it is nested deeper, or has a longer text or number, than any layout");
  }
}
