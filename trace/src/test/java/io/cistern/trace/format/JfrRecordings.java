package io.cistern.trace.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;

/** Real recordings of this process, as bytes. */
final class JfrRecordings {

  static final List<String> NETTY =
      List.of(
          "io.netty.AllocateBuffer",
          "io.netty.FreeBuffer",
          "io.netty.ReallocateBuffer",
          "io.netty.AllocateChunk",
          "io.netty.FreeChunk");

  private JfrRecordings() {}

  /** What is recorded while something runs, with the events of some names turned on. */
  static byte[] during(List<String> names, Runnable work) {
    try (Recording recording = new Recording()) {
      names.forEach(name -> recording.enable(name).withoutStackTrace().withoutThreshold());
      recording.start();
      work.run();
      recording.stop();
      Path file = Files.createTempFile("recording", ".jfr");
      try {
        recording.dump(file);
        return Files.readAllBytes(file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
