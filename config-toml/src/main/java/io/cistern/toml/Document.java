package io.cistern.toml;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.util.regex.Pattern;

/**
 * A text that was read as TOML or JSON: its values, and where they stand.
 *
 * @param origin the text and its name
 * @param root the values
 * @param places where the keys and values stand
 */
record Document(Origin origin, JsonNode root, Places places) {

  private static final ObjectMapper TOML = new TomlMapper();
  private static final ObjectMapper JSON = new JsonMapper();

  /** A remark at a message's end, such as {@code (for Array starting at [Source: …])}. */
  private static final Pattern JACKSON_WORDS = Pattern.compile(" \\([^()]*(\\[Source|`).*");

  /**
   * Reads TOML.
   *
   * @throws LayoutFileException if it is none
   */
  static Document ofToml(Origin origin) {
    Places places = new TomlScanner(origin).scan();
    return new Document(origin, tree(TOML, origin), places);
  }

  /**
   * Reads JSON.
   *
   * @throws LayoutFileException if it is none
   */
  static Document ofJson(Origin origin) {
    Places places = JsonScanner.scan(origin);
    return new Document(origin, tree(JSON, origin), places);
  }

  private static JsonNode tree(ObjectMapper mapper, Origin origin) {
    try {
      return mapper.readTree(origin.text());
    } catch (JsonProcessingException e) {
      throw syntaxFault(origin, e);
    }
  }

  /** A refusal by Jackson as one of ours, without its own words for sources and settings. */
  static LayoutFileException syntaxFault(Origin origin, JsonProcessingException e) {
    int offset = e.getLocation() == null ? 0 : (int) Math.max(0, e.getLocation().getCharOffset());
    String problem =
        e instanceof StreamConstraintsException
            ? "it is nested deeper, or has a longer text or number, than any layout"
            : JACKSON_WORDS.matcher(e.getOriginalMessage()).replaceFirst("");
    return origin.fault(Math.min(offset, origin.text().length()), Reasons.syntax(problem), e);
  }

  JsonNode value(JsonPointer path) {
    return root.at(path);
  }

  LayoutFileException faultAtKey(JsonPointer path, String reason) {
    return origin.fault(places.key(path), reason);
  }

  LayoutFileException faultAtValue(JsonPointer path, String reason) {
    return origin.fault(places.value(path), reason);
  }
}
