package io.cistern.conformance;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;

/** Reading of the data, and comparison of it by value. Numbers may go up to 2^64-1. */
public final class Json {

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  private Json() {}

  /** Reads a file that holds one object. */
  public static ObjectNode read(Path file) {
    try {
      return (ObjectNode) MAPPER.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + file, e);
    }
  }

  /** Reads an object from a text. */
  public static ObjectNode parse(String text) {
    try {
      return (ObjectNode) MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("can't read " + text, e);
    }
  }

  /** An empty object. */
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A value that is there and not null. */
  public static boolean has(JsonNode object, String key) {
    return object.hasNonNull(key);
  }

  /** The texts of a list; none where the list is absent. */
  public static java.util.List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }

  /**
   * A number of bytes or a count.
   *
   * @throws AboveRange if it is above 2^63-1
   */
  public static long number(JsonNode number) {
    if (!number.isIntegralNumber()) {
      throw new IllegalArgumentException("not an integer: " + number);
    }
    if (isAboveRange(number)) {
      throw new AboveRange(number.bigIntegerValue());
    }
    return number.longValue();
  }

  /** Whether a number is above 2^63-1, or a number anywhere inside a value is. */
  public static boolean isAboveRange(JsonNode value) {
    return value.isContainerNode()
        ? value.valueStream().anyMatch(Json::isAboveRange)
        : value.isIntegralNumber() && value.bigIntegerValue().bitLength() > 63;
  }

  /**
   * Whether {@code actual} says all that {@code expected} says: each expected field is there with
   * the same value, lists are equally long. Numbers are compared by value.
   */
  public static boolean covers(JsonNode expected, JsonNode actual) {
    if (expected.isIntegralNumber() && actual.isIntegralNumber()) {
      return expected.bigIntegerValue().equals(actual.bigIntegerValue());
    }
    if (expected.isObject()) {
      return expected.propertyStream().allMatch(field -> covers(field, actual));
    }
    if (expected.isArray()) {
      return expected.size() == actual.size()
          && java.util.stream.IntStream.range(0, expected.size())
              .allMatch(i -> covers(expected.get(i), actual.get(i)));
    }
    return expected.equals(actual);
  }

  private static boolean covers(Map.Entry<String, JsonNode> field, JsonNode actual) {
    return actual.has(field.getKey()) && covers(field.getValue(), actual.get(field.getKey()));
  }
}
