package io.cistern.toml;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.PersistentMemory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layout files on a disk. */
class LayoutFilesTest {

  private static final LayoutFile PRESET =
      new LayoutFile(MemoryPoolsConfig.exclusivePages(), PersistentMemory.ENFORCED);

  @TempDir Path folder;

  private static void assertRefused(Path file, String placeAndReason) {
    assertThatThrownBy(() -> LayoutFile.read(file))
        .isInstanceOf(LayoutFileException.class)
        .hasMessage(file + placeAndReason);
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("pools.toml"), bytes);
  }

  @Test
  void writesAndReads() throws IOException {
    Path file =
        file("something longer than the layout that replaces it ".repeat(9).getBytes(UTF_8));
    PRESET.write(file);
    assertThat(file).hasContent(PRESET.toToml());
    assertThat(LayoutFile.read(file)).isEqualTo(PRESET);
    PRESET.write(file, "größer");
    assertThat(file).hasContent("# größer\n\n" + PRESET.toToml());
    assertThat(LayoutFile.read(file)).isEqualTo(PRESET);
  }

  @Test
  void faultsNameTheFile() throws IOException {
    assertRefused(
        file("\n  page = 1".getBytes(UTF_8)),
        ":2:3: unknown key \"page\"; the keys of a layout file are persistent and pools");
  }

  @Test
  void aByteOrderMarkIsLeftOut() throws IOException {
    assertThat(LayoutFile.read(file(("\uFEFF" + PRESET.toToml()).getBytes(UTF_8))))
        .isEqualTo(PRESET);
    assertRefused(
        file("\uFEFFpage = 1".getBytes(UTF_8)),
        ":1:1: unknown key \"page\"; the keys of a layout file are persistent and pools");
  }

  @Test
  void refusesWhatIsNotUtf8() throws IOException {
    assertRefused(
        file(new byte[] {'#', '\n', '#', ' ', (byte) 0xE4, '\n'}),
        ":2:3: this is not UTF-8 text (byte 0xE4)");
    assertRefused(
        file(PRESET.toToml().getBytes(UTF_16)), ":1:1: this is not UTF-8 text (byte 0xFE)");
    assertRefused(file(new byte[] {'#', (byte) 0xC3}), ":1:2: this is not UTF-8 text (byte 0xC3)");
  }

  @Test
  void refusesWhatIsNotThere() {
    assertRefused(folder.resolve("no.toml"), ": can't be read: there is no such file");
    assertRefused(folder, ": this is a folder, not a layout file");
  }

  @Test
  void refusesWhatIsFarTooLarge() throws IOException {
    Path file = file(new byte[0]);
    try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
      large.setLength((16 << 20) + 1);
    }
    assertRefused(file, ": this is no layout file, it is larger than 16MiB");
  }

  @Test
  void saysWhyAFileCannotBeWritten() {
    assertThatThrownBy(() -> PRESET.write(folder))
        .isInstanceOf(LayoutFileException.class)
        .hasMessage(folder + ": can't be written: this is a folder");
    Path file = folder.resolve("no/pools.toml");
    assertThatThrownBy(() -> PRESET.write(file))
        .isInstanceOf(LayoutFileException.class)
        .hasMessage(file + ": can't be written: its folder does not exist");
  }

  @Test
  void aFaultOfTheWholeFileHasNoPlace() {
    assertThatThrownBy(() -> LayoutFile.read(folder))
        .isInstanceOfSatisfying(
            LayoutFileException.class,
            e -> {
              assertThat(e.line()).isZero();
              assertThat(e.column()).isZero();
              assertThat(e.file()).isEqualTo(folder.toString());
              assertThat(e.reason()).isEqualTo("this is a folder, not a layout file");
            });
  }
}
