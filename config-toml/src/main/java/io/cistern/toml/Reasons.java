package io.cistern.toml;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.cistern.config.MemoryPoolsConfig.Preset;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What can be wrong with a layout file, and what would be right: one sentence each. */
final class Reasons {

  private static final int LONGEST_SHOWN = 60;
  private static final JsonPointer POOLS = JsonPointer.empty().appendProperty(Key.POOLS);
  private static final String PRESETS =
      quotedList(Arrays.stream(Preset.values()).map(Preset::text).toList());

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private Reasons() {}

  /** A reason that quotes a file may hold line ends and worse: they are shown as TOML escapes. */
  static String oneLine(String reason) {
    return CONTROL
        .matcher(reason)
        .replaceAll(found -> "\\\\u%04X".formatted((int) found.group().charAt(0)));
  }

  /** The text is no TOML or JSON at all. */
  static String syntax(String problem) {
    return "can't read this: " + problem;
  }

  static String bareValue(String value) {
    return value.isEmpty()
        ? "a value is expected here"
        : shown(value) + " is no value; text stands in quotes, numbers look like 5000 or 1_048_576";
  }

  static String setTwice(JsonPointer path, int firstLine) {
    String twice = path.last().getMatchingProperty() + " is set already in line " + firstLine;
    return path.equals(POOLS) ? twice + "; pools is either the name of a preset or a list" : twice;
  }

  static String notALayout() {
    return "a layout is an object with the keys " + Key.POOLS + " and " + Key.PERSISTENT;
  }

  static String poolsMissing() {
    return "there are no pools; write [[pools]] entries, or pools = one of " + PRESETS;
  }

  static String notPools(JsonNode found) {
    return "pools must be a list (each entry headed [[pools]]) or one of "
        + PRESETS
        + ", not "
        + kind(found);
  }

  static String notAPool(JsonNode found) {
    return "a pool is a table with a type and sizes, not " + kind(found);
  }

  static String typeMissing() {
    return "this pool has no type; possible are " + quotedList(PoolType.texts());
  }

  static String keyMissing(PoolType type, String key) {
    return a(type) + " pool needs " + key;
  }

  /** A text that is none of the words that are possible. */
  static String unknownWord(String what, String word, List<String> possible) {
    return "there is no "
        + what
        + " \""
        + shown(word)
        + "\"; "
        + Suggestion.closest(word, possible)
            .map(closest -> "did you mean \"" + closest + "\"?")
            .orElse("possible are " + quotedList(possible));
  }

  static String notAWord(String key, JsonNode found, List<String> possible) {
    return key + " must be one of " + quotedList(possible) + ", not " + kind(found);
  }

  static String unknownKeyOfFile(String key) {
    List<String> possible = List.of(Key.PERSISTENT, Key.POOLS);
    boolean ofPool = key.equals(Key.TYPE) || PoolType.withKey(key).isPresent();
    String right =
        ofPool
            ? "it belongs below a [[pools]] header"
            : meant(key, possible, "the keys of a layout file are " + list(possible));
    return unknownKey(key) + right;
  }

  static String unknownKeyOfPool(String key, PoolType type) {
    String known = a(type) + " pool has " + list(type.keys());
    String start = unknownKey(key);
    if (key.equals(Key.PERSISTENT) || key.equals(Key.POOLS)) {
      return start + "it belongs to the top of the file, above the first [[pools]]";
    }
    return PoolType.withKey(key)
        .map(other -> key + " belongs to " + other.text() + " pools; " + known)
        .orElseGet(() -> start + meant(key, type.keys(), known));
  }

  private static String unknownKey(String key) {
    return "unknown key \"" + shown(key) + "\"; ";
  }

  static String notASize(String key, JsonNode found) {
    return key + " must be a size such as 1048576 or \"64MiB\", not " + kind(found);
  }

  static String notASizeText(String key, IllegalArgumentException refusal) {
    return key + ": " + refusal.getMessage();
  }

  static String notACount(String key, JsonNode found) {
    return key + " must be a number of allocations such as 5000, not " + kind(found);
  }

  static String outOfRange(String key, JsonNode found) {
    return key + " must be 0 to 9223372036854775807 (2^63-1), not " + shown(found.asText());
  }

  private static String meant(String word, List<String> possible, String otherwise) {
    return Suggestion.closest(word, possible)
        .map(closest -> "did you mean " + closest + "?")
        .orElse(otherwise);
  }

  private static String kind(JsonNode found) {
    return switch (found.getNodeType()) {
      case STRING -> "the text \"" + shown(found.asText()) + "\"";
      case NUMBER -> "the number " + shown(found.asText());
      case BOOLEAN -> found.asText();
      case ARRAY -> "a list";
      case OBJECT -> "a table";
      default -> "nothing";
    };
  }

  private static String a(PoolType type) {
    return (type == PoolType.EXCLUSIVE ? "an " : "a ") + type.text();
  }

  private static String list(List<String> words) {
    String last = words.getLast();
    return words.size() == 1
        ? last
        : String.join(", ", words.subList(0, words.size() - 1)) + " and " + last;
  }

  private static String quotedList(List<String> words) {
    return words.stream().map(word -> "\"" + word + "\"").collect(Collectors.joining(", "));
  }

  private static String shown(String text) {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
  }
}
