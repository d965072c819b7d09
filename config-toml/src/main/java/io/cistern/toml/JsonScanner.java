package io.cistern.toml;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Finds the places of keys and values in a JSON text, and keys that are set twice. */
final class JsonScanner {

  private JsonScanner() {}

  /**
   * Walks the whole text.
   *
   * @throws LayoutFileException if it is no JSON, sets a key twice, or is more than one value
   */
  static Places scan(Origin origin) {
    Places places = new Places();
    try (JsonParser parser = new JsonFactory().createParser(origin.text())) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (!token.isStructEnd()) {
          put(parser, origin, places);
        }
      }
    } catch (JsonProcessingException e) {
      throw Document.syntaxFault(origin, e);
    } catch (IOException e) {
      throw new UncheckedIOException("a text in memory has no input errors", e);
    }
    return places;
  }

  private static void put(JsonParser parser, Origin origin, Places places) {
    JsonPointer path = parser.getParsingContext().pathAsPointer();
    int offset = (int) parser.currentTokenLocation().getCharOffset();
    if (parser.currentToken() != JsonToken.FIELD_NAME) {
      if (places.hasValue(path)) {
        throw origin.fault(offset, Reasons.syntax("nothing may follow the layout"));
      }
      places.putValue(path, offset);
    } else if (places.hasKey(path)) {
      throw origin.fault(offset, Reasons.setTwice(path, origin.line(places.key(path))));
    } else {
      places.putKey(path, offset);
    }
  }
}
