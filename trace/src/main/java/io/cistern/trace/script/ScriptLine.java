package io.cistern.trace.script;

import io.cistern.MemorySize;
import io.cistern.MemorySizeFormatException;
import io.cistern.trace.TraceException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The words of a line, taken one after the other; what is left over at its end is an error. */
final class ScriptLine {

  private final String file;
  private final long line;
  private final String command;
  private final Deque<String> words = new ArrayDeque<>();
  private final Map<String, String> settings = new LinkedHashMap<>();

  /** A reading of a word, as {@link MemorySize#parse} is. */
  private interface Reading<T> extends Function<String, T> {}

  ScriptLine(String file, long line, String text) throws TraceException {
    this.file = file;
    this.line = line;
    List<String> all = Arrays.asList(text.strip().split("\\s+"));
    this.command = all.getFirst();
    for (String word : all.subList(1, all.size())) {
      int equals = word.indexOf('=');
      if (equals < 0) {
        words.add(word);
      } else if (settings.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
        throw wrong(word.substring(0, equals) + " is set twice");
      }
    }
  }

  /** What the line is about: its first word. */
  String command() {
    return command;
  }

  /** The number of the line, from 1. */
  long line() {
    return line;
  }

  TraceException wrong(String reason) {
    return new TraceException(file, line, reason);
  }

  /** The next word. */
  String word(String what) throws TraceException {
    String word = words.poll();
    if (word == null) {
      throw wrong(command + " needs " + what);
    }
    return word;
  }

  /** The next word, one of some. */
  String oneOf(Set<String> allowed) throws TraceException {
    String word = word("one of " + String.join(", ", allowed));
    if (!allowed.contains(word)) {
      throw wrong("\"" + word + "\" is none of " + String.join(", ", allowed));
    }
    return word;
  }

  /** The next word, a size. */
  long size(String what) throws TraceException {
    return size(what, word(what));
  }

  /** A size that is set, or else another. */
  long size(String key, long otherwise) throws TraceException {
    String text = settings.remove(key);
    return text == null ? otherwise : size(key, text);
  }

  /** A size that is set; null if it is not. */
  @Nullable MemorySize sizeOrNull(String key) throws TraceException {
    return settings.containsKey(key) ? MemorySize.of(size(key, 0)) : null;
  }

  private long size(String what, String text) throws TraceException {
    return read(what, text, "a size such as 4096 or 64KiB", one -> MemorySize.parse(one).bytes());
  }

  /** The next word, a count. */
  int number(String what) throws TraceException {
    return read(what, word(what), "a whole number", Integer::parseUnsignedInt);
  }

  /** A count that is set, or else another. */
  long number(String key, long otherwise) throws TraceException {
    String text = settings.remove(key);
    return text == null ? otherwise : read(key, text, "a whole number", ScriptLine::count);
  }

  private static long count(String text) {
    long number = Long.parseLong(text);
    if (number < 0) {
      throw new NumberFormatException("below 0");
    }
    return number;
  }

  /** A stream that is set, or else 0. */
  int stream() throws TraceException {
    long stream = number("stream", 0);
    if (stream > Integer.MAX_VALUE) {
      throw wrong("stream=" + stream + ": a stream is at most " + Integer.MAX_VALUE);
    }
    return (int) stream;
  }

  private <T> T read(String what, String text, String wanted, Reading<T> reading)
      throws TraceException {
    try {
      return reading.apply(text);
    } catch (MemorySizeFormatException | NumberFormatException e) {
      throw wrong(what + " is " + wanted + ", not \"" + text + "\"");
    }
  }

  /** A text that is set, or else another. */
  String text(String key, String otherwise) {
    String text = settings.remove(key);
    return text == null ? otherwise : text;
  }

  /** A constant that is set, or else another; written small, with dashes. */
  <E extends Enum<E>> E constant(String key, E otherwise) throws TraceException {
    String text = settings.remove(key);
    return text == null ? otherwise : constant(key, text, otherwise.getDeclaringClass());
  }

  private <E extends Enum<E>> E constant(String what, String text, Class<E> type)
      throws TraceException {
    for (E constant : type.getEnumConstants()) {
      if (written(constant).equals(text)) {
        return constant;
      }
    }
    List<String> all = Arrays.stream(type.getEnumConstants()).map(ScriptLine::written).toList();
    throw wrong(what + " is one of " + String.join(", ", all) + ", not \"" + text + "\"");
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** All that is set, by constants that are written small. */
  <E extends Enum<E>> Map<E, Long> sizes(Class<E> keys) throws TraceException {
    Map<E, Long> sizes = new LinkedHashMap<>();
    for (E key : keys.getEnumConstants()) {
      String name = key.name().toLowerCase(Locale.ROOT);
      if (settings.containsKey(name)) {
        sizes.put(key, size(name, 0));
      }
    }
    return sizes;
  }

  /** The words that are left, which there may be any number of. */
  boolean next(String word) {
    return words.remove(word);
  }

  /** Nothing may be left. */
  void end() throws TraceException {
    if (!words.isEmpty()) {
      throw wrong("\"" + words.getFirst() + "\" is one word too many for " + command);
    }
    if (!settings.isEmpty()) {
      throw wrong(command + " has no " + settings.keySet().iterator().next());
    }
  }
}
