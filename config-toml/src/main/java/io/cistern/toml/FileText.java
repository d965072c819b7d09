package io.cistern.toml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads and writes whole files as UTF-8, with one clear error where that fails. */
final class FileText {

  /** Far above any layout; keeps a wrong file from filling the heap. */
  private static final int LARGEST_FILE_BYTES = 16 << 20;

  private FileText() {}

  /**
   * Reads a file. A byte-order mark at its start is left out.
   *
   * @throws LayoutFileException if it can't be read, is too large, or is not UTF-8
   */
  static String read(Path path) {
    if (Files.isDirectory(path)) {
      throw fault(path, "this is a folder, not a layout file", null);
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(LARGEST_FILE_BYTES + 1);
      if (bytes.length > LARGEST_FILE_BYTES) {
        throw fault(path, "this is no layout file, it is larger than 16MiB", null);
      }
      return withoutMark(decode(path, bytes));
    } catch (IOException e) {
      throw fault(path, "can't be read: " + reason(e, "there is no such file"), e);
    }
  }

  /**
   * Writes a file, in place of one that is there.
   *
   * @throws LayoutFileException if it can't be written
   */
  static void write(Path path, String text) {
    if (Files.isDirectory(path)) {
      throw fault(path, "can't be written: this is a folder", null);
    }
    try {
      Files.writeString(path, text);
    } catch (IOException e) {
      throw fault(path, "can't be written: " + reason(e, "its folder does not exist"), e);
    }
  }

  static String withoutMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  private static String decode(Path path, byte[] bytes) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      String reason = "this is not UTF-8 text (byte 0x%02X)".formatted(in.get() & 0xFF);
      Origin origin = new Origin(path.toString(), withoutMark(text));
      throw origin.fault(origin.text().length(), reason);
    }
    return text;
  }

  private static String reason(IOException e, String noSuchFile) {
    return switch (e) {
      case NoSuchFileException missing -> noSuchFile;
      case AccessDeniedException denied -> "permission denied";
      default -> Objects.requireNonNullElse(e.getMessage(), "the system does not say why");
    };
  }

  private static LayoutFileException fault(Path path, String reason, @Nullable IOException cause) {
    return new LayoutFileException(path.toString(), reason, cause);
  }
}
