package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of Android's {@code memory_replay}: {@code TID: malloc POINTER SIZE}, {@code
 * calloc POINTER COUNT SIZE}, {@code memalign POINTER ALIGNMENT SIZE}, {@code realloc POINTER OLD
 * SIZE}, {@code free POINTER} and {@code thread_done}; perhaps followed by when the call began and
 * ended in nanoseconds.
 *
 * <p>The stream of a row is its thread, numbered from 0 as they appear. Time is the number of the
 * line where the recording has none.
 */
final class MemoryReplayReader extends LineTraceReader {

  private final Map<Long, Integer> threads = new HashMap<>();
  private long startNanos = UNKNOWN;

  MemoryReplayReader(TraceInput input) {
    super(TraceFormat.MEMORY_REPLAY, input);
  }

  /** Whether a first line is of such a text. */
  static boolean matches(String line) {
    return line.matches("\\s*[0-9]+: (malloc|calloc|realloc|memalign|free|thread_done)\\b.*");
  }

  @Override
  @Nullable String take(String text) throws TraceException {
    String[] words = text.split("[: ]+", -1);
    long thread = Numbers.count(words[0]);
    String call = words.length > 1 ? words[1] : "";
    if (thread >= 0 && call.equals("thread_done")) {
      return null;
    }
    // What the call has behind its pointer.
    int numbers =
        switch (call) {
          case "malloc" -> 1;
          case "calloc", "memalign", "realloc" -> 2;
          case "free" -> 0;
          default -> -1;
        };
    if (thread < 0 || numbers < 0) {
      return Texts.shown(text) + " is no call: that is TID: malloc POINTER SIZE or the like";
    }
    int needed = 3 + numbers;
    String fault = whyBad(call, words, needed);
    if (fault != null) {
      return fault;
    }
    facts.add(TraceFacts.Count.EVENTS, 1);
    facts.addThread(thread);
    return call(call, words, thread, time(words, needed));
  }

  /** A call may be followed by its times. */
  private static @Nullable String whyBad(String call, String[] words, int needed) {
    if (words.length != needed && words.length != needed + 2) {
      return call + " has " + (words.length - 2) + " values, not " + (needed - 2);
    }
    for (int i = 2; i < words.length; i++) {
      if (!Numbers.isAddress(words[i])) {
        return Texts.shown(words[i]) + " is neither an address nor a number";
      }
    }
    return null;
  }

  private long time(String[] words, int needed) {
    if (words.length == needed) {
      if (facts.hasClock()) {
        facts.setNoClock("numbers of lines");
      }
      return line() - 1;
    }
    long nanos = Numbers.address(words[needed]);
    startNanos = startNanos == UNKNOWN ? nanos : startNanos;
    return Math.max(0, (nanos - startNanos) / 1000);
  }

  private @Nullable String call(String call, String[] words, long thread, long time)
      throws TraceException {
    int stream = threads.computeIfAbsent(thread, _ -> threads.size());
    long pointer = Numbers.address(words[2]);
    if (call.equals("free")) {
      // Of no pointer, which does nothing.
      return pointer == 0 ? null : freed(pointer, OptionalLong.empty(), stream, thread, time);
    }
    long byteSize = byteSize(call, words);
    if (byteSize < 0) {
      return call + " of more than 2^63-1 bytes";
    }
    long old = call.equals("realloc") ? Numbers.address(words[3]) : 0;
    if (pointer == 0) {
      if (byteSize > 0) {
        refused(byteSize, stream);
      } else if (old != 0) {
        return freed(old, OptionalLong.empty(), stream, thread, time);
      }
      return null;
    }
    return reallocated(pointer, old, byteSize, stream, thread, time);
  }

  /** The bytes that a call asks for; negative if there are more than a number holds. */
  private static long byteSize(String call, String[] words) {
    long byteSize = Numbers.address(words[call.equals("malloc") ? 3 : 4]);
    if (!call.equals("calloc")) {
      return byteSize;
    }
    long count = Numbers.address(words[3]);
    boolean fits = byteSize >= 0 && count >= 0 && Math.multiplyHigh(count, byteSize) == 0;
    return fits ? count * byteSize : -1;
  }
}
