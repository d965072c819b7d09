package io.cistern.toml;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Finds the places of keys and values in a TOML text.
 *
 * <p>It knows the shape of TOML (lines, headers, keys, where a value ends) and refuses, with the
 * exact place, what breaks the shape or sets a key twice. What is inside texts and numbers it
 * leaves to the reader of the values. Layouts need no dotted keys, so those are refused here.
 */
final class TomlScanner {

  /** Lists and tables within each other; a layout has two. */
  private static final int DEPTH_LIMIT = 8;

  private static final int LONGEST_BARE_VALUE = 100;

  /** No dates, which no layout has, and no exponents that readers of numbers refuse. */
  private static final Pattern BARE_VALUE =
      Pattern.compile(
          "[+-]?(0|[1-9](_?\\d)*)(\\.\\d(_?\\d)*)?([eE][+-]?\\d{1,8})?"
              + "|0x\\p{XDigit}(_?\\p{XDigit})*|0o[0-7](_?[0-7])*|0b[01](_?[01])*"
              + "|[+-]?(inf|nan)|true|false");

  private final Origin origin;
  private final String text;
  private final Places places = new Places();
  private final Map<JsonPointer, Integer> tableCounts = new HashMap<>();
  private int at;
  private int depth;

  TomlScanner(Origin origin) {
    this.origin = origin;
    this.text = origin.text();
  }

  /**
   * Walks the whole text.
   *
   * @throws LayoutFileException if the text can't be TOML, or has dotted keys
   */
  Places scan() {
    JsonPointer table = JsonPointer.empty();
    for (skipLines(); at < text.length(); skipLines()) {
      if (peek() == '[') {
        table = header();
      } else {
        assignment(table);
      }
      endOfLine();
    }
    return places;
  }

  /** {@code [key]} or {@code [[key]]}; gives the path of the table that begins. */
  private JsonPointer header() {
    int start = at;
    boolean list = text.startsWith("[[", at);
    at += list ? 2 : 1;
    skipBlanks();
    JsonPointer path = JsonPointer.empty().appendProperty(key());
    skipBlanks();
    String close = list ? "]]" : "]";
    if (!text.startsWith(close, at)) {
      throw fault("the header is not closed by " + close);
    }
    at += close.length();
    if (places.hasKey(path) && !(list && tableCounts.containsKey(path))) {
      throw setTwice(path, start);
    }
    if (!places.hasKey(path)) {
      places.putKey(path, start);
      places.putValue(path, start);
    }
    if (!list) {
      return path;
    }
    JsonPointer entry = path.appendIndex(tableCounts.merge(path, 1, Integer::sum) - 1);
    places.putValue(entry, start);
    return entry;
  }

  /** {@code key = value}. */
  private void assignment(JsonPointer table) {
    int start = at;
    JsonPointer path = table.appendProperty(key());
    skipBlanks();
    if (peek() != '=') {
      throw fault("a key is followed by = and its value");
    }
    at++;
    skipBlanks();
    if (places.hasKey(path)) {
      throw setTwice(path, start);
    }
    places.putKey(path, start);
    value(path);
  }

  private String key() {
    int start = at;
    char first = peek();
    if (first == '"' || first == '\'') {
      quoted(first);
      String key = text.substring(start + 1, at - 1);
      if (first == '"' && key.indexOf('\\') >= 0) {
        throw origin.fault(start, Reasons.syntax("the keys of a layout need no escapes"));
      }
      return notDotted(key);
    }
    while (isBareKey(peek())) {
      at++;
    }
    if (at == start) {
      throw fault("a key is expected here");
    }
    return notDotted(text.substring(start, at));
  }

  private String notDotted(String key) {
    int end = at;
    skipBlanks();
    if (peek() == '.') {
      throw fault("the keys of a layout have no dots");
    }
    at = end;
    return key;
  }

  private void value(JsonPointer path) {
    places.putValue(path, at);
    switch (peek()) {
      case '"', '\'' -> string();
      case '[' -> list(path);
      case '{' -> inlineTable(path);
      default -> bareValue();
    }
  }

  private void list(JsonPointer path) {
    enter();
    skipLines();
    for (int index = 0; peek() != ']'; index++) {
      value(path.appendIndex(index));
      skipLines();
      if (peek() == ',') {
        at++;
        skipLines();
      } else if (peek() != ']') {
        throw fault("a list goes on with a comma or ends with ]");
      }
    }
    leave();
  }

  private void inlineTable(JsonPointer path) {
    enter();
    skipBlanks();
    while (peek() != '}') {
      assignment(path);
      skipBlanks();
      if (peek() == ',') {
        at++;
        skipBlanks();
        if (peek() == '}') {
          throw fault("no comma stands before }");
        }
      } else if (peek() != '}') {
        throw fault("a table in braces goes on with a comma or ends with }, all in one line");
      }
    }
    leave();
  }

  private void enter() {
    if (++depth > DEPTH_LIMIT) {
      throw fault("it is nested deeper than any layout");
    }
    at++;
  }

  private void leave() {
    depth--;
    at++;
  }

  private void string() {
    String triple = String.valueOf(peek()).repeat(3);
    if (text.startsWith(triple, at)) {
      tripleQuoted(triple);
    } else {
      quoted(peek());
    }
  }

  private void quoted(char quote) {
    int start = at++;
    while (peek() != quote) {
      if (at >= text.length() || peek() == '\n') {
        throw origin.fault(start, Reasons.syntax("this quote is not closed in its line"));
      }
      at += quote == '"' && peek() == '\\' ? 2 : 1;
    }
    at++;
  }

  private void tripleQuoted(String triple) {
    int start = at;
    at += triple.length();
    while (!text.startsWith(triple, at)) {
      if (at >= text.length()) {
        throw origin.fault(start, Reasons.syntax("these quotes are never closed"));
      }
      at += triple.charAt(0) == '"' && peek() == '\\' ? 2 : 1;
    }
    at += triple.length();
    // Up to two quotes may stand before the closing three: they are text.
    for (int more = 0; more < 2 && peek() == triple.charAt(0); more++) {
      at++;
    }
  }

  private void bareValue() {
    int start = at;
    while (at < text.length() && " \t\r\n,]}#".indexOf(peek()) < 0) {
      at++;
    }
    String value = text.substring(start, at);
    if (value.length() > LONGEST_BARE_VALUE || !BARE_VALUE.matcher(value).matches()) {
      throw origin.fault(start, Reasons.syntax(Reasons.bareValue(value)));
    }
  }

  private void endOfLine() {
    skipBlanks();
    if (peek() == '#') {
      skipComment();
    }
    if (at < text.length() && !atNewline()) {
      throw fault("nothing but a comment may follow in this line (text stands in quotes)");
    }
  }

  /** Skips blanks, comments and line ends. */
  private void skipLines() {
    while (at < text.length()) {
      skipBlanks();
      if (peek() == '#') {
        skipComment();
      } else if (atNewline()) {
        at = text.indexOf('\n', at) + 1;
      } else {
        return;
      }
    }
  }

  private void skipComment() {
    while (at < text.length() && !atNewline()) {
      at++;
    }
  }

  private void skipBlanks() {
    while (peek() == ' ' || peek() == '\t') {
      at++;
    }
  }

  private boolean atNewline() {
    return peek() == '\n' || text.startsWith("\r\n", at);
  }

  /** The character here; a zero, which TOML never allows, at the end. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private static boolean isBareKey(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '-';
  }

  private LayoutFileException setTwice(JsonPointer path, int offset) {
    return origin.fault(offset, Reasons.setTwice(path, origin.line(places.key(path))));
  }

  private LayoutFileException fault(String reason) {
    return origin.fault(Math.min(at, text.length()), Reasons.syntax(reason));
  }
}
