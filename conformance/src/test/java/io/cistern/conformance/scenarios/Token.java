package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.storage.Fence;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Device work that a scenario launched. It reads its regions at the very end, as a kernel that is
 * queued behind others would, so that a region that was handed out too early shows.
 */
final class Token implements Fence {

  private final String name;
  private final String stream;
  private final Consumer<Token> waitedFor;

  // What the work reads, taken at its launch, by the ids of handles that may be closed by now.
  private final Map<String, MemorySegment> reads = new LinkedHashMap<>();
  private final ObjectNode facts = Json.object();
  private Runnable atEnd = () -> {};
  private volatile boolean passed;

  /**
   * Work that is under way.
   *
   * @param waitedFor is told when a thread had to wait for it
   */
  Token(String name, String stream, Consumer<Token> waitedFor) {
    this.name = name;
    this.stream = stream;
    this.waitedFor = waitedFor;
  }

  String name() {
    return name;
  }

  String stream() {
    return stream;
  }

  void reads(String id, MemorySegment segment) {
    reads.put(id, segment);
  }

  void atEnd(Runnable work) {
    atEnd = work;
  }

  /** Ends the work, once. */
  synchronized void complete() {
    if (!passed) {
      reads.forEach((id, segment) -> facts.put("pattern_read", patternOf(id, segment)));
      atEnd.run();
      passed = true;
    }
  }

  /** What the work read. */
  ObjectNode facts() {
    return facts.deepCopy();
  }

  private int patternOf(String id, MemorySegment segment) {
    byte pattern = segment.get(ValueLayout.JAVA_BYTE, 0);
    Patterns.verify(id + " as " + name + " reads it", segment, pattern);
    return Byte.toUnsignedInt(pattern);
  }

  @Override
  public boolean hasPassed() {
    return passed;
  }

  /** Whoever waits lets the device get on, so that no test ever waits. */
  @Override
  public boolean await(Duration atMost) {
    complete();
    waitedFor.accept(this);
    return true;
  }

  @Override
  public String toString() {
    return name;
  }

  /** The names of tokens, as a scenario writes them: one as it is, more as a list. */
  static void describe(List<Token> tokens, ObjectNode into) {
    if (tokens.size() == 1) {
      into.put("waits_for", tokens.getFirst().name);
    } else if (!tokens.isEmpty()) {
      tokens.forEach(token -> into.withArray("waits_for").add(token.name));
    } else {
      into.putNull("waits_for"); // said, so that an expected wait is missed
    }
  }
}
