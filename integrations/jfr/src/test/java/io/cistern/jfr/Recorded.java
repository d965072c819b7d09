package io.cistern.jfr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Runs work under a real recording and reads what was recorded of Cistern. */
final class Recorded {

  static final String PREFIX = "io.cistern.";

  private Recorded() {}

  /** The events of some work, oldest first, with the events of some names turned on. */
  static List<RecordedEvent> during(List<String> names, Runnable work) {
    try (Recording recording = new Recording()) {
      names.forEach(name -> recording.enable(PREFIX + name));
      return during(recording, work);
    }
  }

  /** As above, of a recording whose settings are made. */
  static List<RecordedEvent> during(Recording recording, Runnable work) {
    recording.start();
    work.run();
    recording.stop();
    try {
      Path file = Files.createTempFile("cistern", ".jfr");
      try {
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().startsWith(PREFIX))
            .sorted((one, other) -> one.getStartTime().compareTo(other.getStartTime()))
            .toList();
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The usage of all watched managers, once, as a recording sees it that ends after some work. */
  static List<RecordedEvent> usageAfter(Runnable work) {
    try (Recording recording = new Recording()) {
      // The end of a chunk is the one period that no clock decides.
      recording.enable(PREFIX + "MemoryUsage").with("period", "endChunk");
      return during(recording, work);
    }
  }

  /** An event's name as {@code MemoryEvent} has it. */
  static String name(RecordedEvent event) {
    return event.getEventType().getName().substring(PREFIX.length());
  }
}
