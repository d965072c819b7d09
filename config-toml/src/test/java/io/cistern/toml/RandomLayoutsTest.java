package io.cistern.toml;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random layouts and random damage to their files.
 *
 * <p>A failure prints the seed; {@code -Dcistern.seed=SEED} repeats it.
 */
class RandomLayoutsTest {

  private static final int LAYOUTS = 1_000;
  private static final int DAMAGED_FILES = 5_000;
  private static final String JSON =
      """
      {"persistent": "enforced",
       "pools": [{"type": "exclusive", "max_alloc_size": 0, "dealloc_period": 12},
                 {"type": "sliced", "page_size": "64MiB", "max_slice_size": 4096}]}
      """;
  private static final String[] SPLINTERS = {
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "[",
    "]",
    "[[pools]]\n",
    "{",
    "}",
    ",",
    "=",
    ".",
    "#",
    "\n",
    "\r",
    "\\",
    "\\u00e9",
    "\t",
    "\0",
    "\u2028",
    "\uD83D\uDE00",
    "\uD83D",
    "\uFEFF",
    "-",
    "9",
    "_",
    "0x",
    "e9",
    "e9999999999",
    "nan",
    "inf",
    "1979-13-99",
    "12:61:00",
    "true",
    "type = ",
    "pools = []\n",
    "pools = \"sub-slices\"\n",
    "a = {b = [1, {c = ''}]}\n",
  };

  private final long seed = Long.getLong("cistern.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @Test
  void whatIsWrittenReadsBack() {
    for (int i = 0; i < LAYOUTS; i++) {
      LayoutFile layout = layout();
      String text = layout.toToml(random.nextBoolean() ? "" : damaged("a comment"));
      assertThat(LayoutFile.parse(text, "random"))
          .as("seed %d, layout %d", seed, i)
          .isEqualTo(layout);
    }
  }

  @Test
  void damageIsReadOrRefusedWithAPlace() {
    for (int i = 0; i < DAMAGED_FILES; i++) {
      String text = severalTimesDamaged(layout().toToml());
      check(text, i, () -> checkRead(text));
    }
  }

  @Test
  void damagedJsonIsReadOrRefusedWithAPlace() {
    for (int i = 0; i < DAMAGED_FILES; i++) {
      String text = severalTimesDamaged(JSON);
      check(text, i, () -> LayoutFile.parseJson(text, "random"));
    }
  }

  private void check(String text, int file, Runnable read) {
    try {
      try {
        read.run();
      } catch (LayoutFileException e) {
        checkRefused(text, e);
      }
    } catch (RuntimeException | Error e) {
      throw new AssertionError("seed " + seed + ", file " + file + ":\n" + text, e);
    }
  }

  /** What reads writes and reads again, and every value in it has a place. */
  private static void checkRead(String text) {
    Document document = Document.ofToml(new Origin("random", FileText.withoutMark(text)));
    checkPlaces(document, JsonPointer.empty());
    LayoutFile layout = LayoutFile.parse(text, "random");
    assertThat(LayoutFile.parse(layout.toToml(), "random")).isEqualTo(layout);
  }

  private static void checkPlaces(Document document, JsonPointer path) {
    JsonNode value = document.value(path);
    assertThat(path.matches() || document.places().hasValue(path)).as("%s", path).isTrue();
    value
        .fieldNames()
        .forEachRemaining(
            key -> {
              assertThat(document.places().hasKey(path.appendProperty(key))).isTrue();
              checkPlaces(document, path.appendProperty(key));
            });
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      checkPlaces(document, path.appendIndex(i));
    }
  }

  private static void checkRefused(String text, LayoutFileException e) {
    String[] lines = FileText.withoutMark(text).split("\n", -1);
    assertThat(e.line()).as("%s", e.getMessage()).isBetween(1, lines.length);
    assertThat(e.column()).as("%s", e.getMessage()).isBetween(1, lines[e.line() - 1].length() + 2);
    assertThat(e).hasMessageStartingWith("random:" + e.line() + ":" + e.column() + ": ");
    assertThat(e.getMessage())
        .doesNotContainPattern("\\p{Cntrl}|(?i:jackson|exception|StreamRead|lexer|Source|java|`)");
  }

  private String severalTimesDamaged(String text) {
    String result = text;
    for (int damage = random.nextInt(4); damage >= 0; damage--) {
      result = damaged(result);
    }
    return result;
  }

  private String damaged(String text) {
    int from = random.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + random.nextInt(12));
    String head = text.substring(0, from);
    String splinter = SPLINTERS[random.nextInt(SPLINTERS.length)];
    return switch (random.nextInt(5)) {
      case 0 -> head;
      case 1 -> head + text.substring(to);
      case 2 -> head + splinter + text.substring(from);
      case 3 -> head + splinter + text.substring(to);
      default -> head + text.substring(random.nextInt(text.length() + 1));
    };
  }

  private LayoutFile layout() {
    return new LayoutFile(pools(), one(PersistentMemory.values()));
  }

  private MemoryPoolsConfig pools() {
    if (random.nextInt(8) == 0) {
      return one(MemoryPoolsConfig.Preset.values());
    }
    List<MemoryPoolConfig> pools = Stream.generate(this::pool).limit(random.nextInt(6)).toList();
    return new MemoryPoolsConfig.Explicit(pools);
  }

  private MemoryPoolConfig pool() {
    return switch (random.nextInt(3)) {
      case 0 -> new MemoryPoolConfig.Exclusive(size(), count());
      case 1 -> new MemoryPoolConfig.Direct(maybeSize());
      default -> new MemoryPoolConfig.Sliced(size(), maybeSize(), maybeSize(), count());
    };
  }

  private Optional<MemorySize> maybeSize() {
    return random.nextBoolean() ? Optional.of(size()) : Optional.empty();
  }

  private OptionalLong count() {
    return random.nextBoolean() ? OptionalLong.of(number()) : OptionalLong.empty();
  }

  private MemorySize size() {
    return MemorySize.of(number());
  }

  /** 0 to 2^63-1, all lengths alike, with the ends and round numbers among them. */
  private long number() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextBoolean() ? 0 : Long.MAX_VALUE;
      case 1 -> 1L << random.nextInt(63);
      default -> random.nextLong() >>> (1 + random.nextInt(63));
    };
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
