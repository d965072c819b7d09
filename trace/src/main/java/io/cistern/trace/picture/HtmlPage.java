package io.cistern.trace.picture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A page with places such as {@code {{title}}} to fill. */
final class HtmlPage {

  private final String page;
  private final Map<String, String> parts = new HashMap<>();

  /** Begins with a resource that has the places. */
  HtmlPage(String name) {
    this.page = read(name);
  }

  /** Fills a place with text. */
  HtmlPage text(String place, String text) {
    parts.put(place, escaped(text));
    return this;
  }

  /** Fills a place with a style or a script. */
  HtmlPage resource(String place, String name) {
    parts.put(place, read(name));
    return this;
  }

  /** Fills a place with a text that is a resource. */
  HtmlPage licence(String place, String name) {
    return text(place, read(name));
  }

  /** Fills a place in a script with JSON that can't end it: a "<" is part of a string there. */
  HtmlPage data(String place, String json) {
    parts.put(place, json.replace("<", "\\u003c"));
    return this;
  }

  /** The page, in one walk: what a part holds is not searched for places of others. */
  String filled() {
    StringBuilder filled = new StringBuilder();
    int from = 0;
    for (int open = page.indexOf("{{"); open >= 0; open = page.indexOf("{{", from)) {
      int close = page.indexOf("}}", open);
      filled.append(page, from, open);
      filled.append(Objects.requireNonNull(parts.get(page.substring(open + 2, close))));
      from = close + 2;
    }
    return filled.append(page, from, page.length()).toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static String read(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
