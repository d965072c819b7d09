package io.cistern.trace.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** What readers of JSON have in common; Jackson bounds depth, names, texts and numbers. */
public final class JsonInput {

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int MOST_SCALE = 100;

  private JsonInput() {}

  /** Takes a document; the parser stands before its first token. */
  public interface Taking {
    void take(JsonParser parser) throws IOException;
  }

  /**
   * Reads a document to its end.
   *
   * @throws TraceException where it is damaged, with the byte
   */
  public static void read(InputStream in, TraceFaults faults, Taking taking) throws IOException {
    CountingInput counting = new CountingInput(in);
    // Reads ahead, to see how the text is encoded.
    try (JsonParser parser = FACTORY.createParser(counting)) {
      taking.take(parser);
      if (parser.nextToken() != null) {
        throw faults.errorAtByte(
            parser.currentTokenLocation().getByteOffset(), "more follows the document");
      }
    } catch (JsonProcessingException e) {
      @Nullable JsonLocation place = e.getLocation();
      faults.end(
          faults.errorAtByte(
              place == null || place.getByteOffset() < 0
                  ? counting.byteCount()
                  : place.getByteOffset(),
              firstLine(e.getOriginalMessage())));
    } catch (DamagedInputException | CharConversionException e) {
      faults.end(
          faults.errorAtByte(counting.byteCount(), firstLine(String.valueOf(e.getMessage()))));
    }
  }

  private static String firstLine(String message) {
    // Where an object began would be told by a source that the parser does not show.
    return message
        .lines()
        .findFirst()
        .orElse("the JSON is damaged")
        .replaceFirst(" \\(start marker at .*", "");
  }

  /** The line of the present token. */
  public static long line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  /** The number that the parser stands on, times a thousand; 0 if it is none or out of range. */
  public static long thousandths(JsonParser parser) throws IOException {
    if (!parser.currentToken().isNumeric()) {
      return 0;
    }
    BigDecimal exact = new BigDecimal(parser.getText());
    // A great exponent would make a number of as many digits.
    if (Math.abs((long) exact.scale()) > MOST_SCALE) {
      return 0;
    }
    BigDecimal value = exact.movePointRight(3).setScale(0, RoundingMode.HALF_UP);
    return value.toBigInteger().bitLength() < Long.SIZE ? value.longValue() : 0;
  }

  /** Whether the parser stands on an integer that a long holds. */
  public static boolean isLong(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
  }
}
