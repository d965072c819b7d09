package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What Cistern is to answer: what was recorded, unless an exception names the step or a rule that
 * goes by its content says otherwise.
 */
final class Rules {

  /** The result of a step of which the recording says nothing. */
  static final String ANY = "any";

  private final Vector vector;
  private final Exceptions exceptions;
  private final Consumer<Note> notes;

  /**
   * The rules for a vector.
   *
   * @param notes is told each use of a rule or exception
   */
  Rules(Vector vector, Exceptions exceptions, Consumer<Note> notes) {
    this.vector = vector;
    this.exceptions = exceptions;
    this.notes = notes;
  }

  /** What the making of the manager is to answer. */
  ObjectNode setup() {
    JsonNode maxPageSize = vector.json().at("/device/max_page_size");
    return layoutAnswer("setup", vector.setup(), vector.layout(), vector.alignment(), maxPageSize);
  }

  /** What a step is to answer. */
  ObjectNode expected(int index, ObjectNode recorded) {
    String name = "step " + index;
    var exception = exceptions.step(vector.name(), index);
    if (exception.isPresent()) {
      notes.accept(new Note(name, exception.get().why()));
      return recorded.deepCopy().setAll(exception.get().answer());
    }
    return switch (recorded.get("op").asText()) {
      case "check" ->
          layoutAnswer(
              name,
              recorded,
              recorded.get("layout"),
              recorded.get("alignment"),
              recorded.get("max_page_size"));
      case "install" ->
          layoutAnswer(
              name,
              recorded,
              recorded.get("layout"),
              vector.alignment(),
              vector.json().at("/device/max_page_size"));
      case "reserve" -> reserveAnswer(name, recorded);
      case "parse_size" -> parsedAnswer(name, recorded);
      case "bind", "cursor", "uninit" -> {
        notes.accept(new Note(name, "handles are not reserved and assigned apart"));
        yield recorded.deepCopy().put("result", ANY);
      }
      case "cleanup_periodic" -> {
        notes.accept(new Note(name, "does nothing: what is due went at its request"));
        yield recorded;
      }
      default -> recorded;
    };
  }

  private ObjectNode layoutAnswer(
      String name, ObjectNode recorded, JsonNode layout, JsonNode alignment, JsonNode maxPage) {
    String error = recorded.at("/error/variant").asText();
    if (Json.isAboveRange(layout) || Json.isAboveRange(maxPage)) {
      return refused(name, recorded, error("AboveRange"), "a size above 2^63-1 is refused");
    }
    long value = Json.number(alignment);
    if (Long.bitCount(value) != 1 && !Set.of("EmptyPoolList", "TooManyPools").contains(error)) {
      ObjectNode fault = error("BadAlignment").put("value", value);
      return refused(name, recorded, fault, "the alignment " + value + " is no power of two");
    }
    boolean raw = layout.get("kind").asText().equals("raw");
    if (raw || error.equals("TooManyPages")) {
      String why =
          raw
              ? "there is no unchecked configuration: rounded and checked like any other"
              : "Cistern has no limit of 65,535 pages";
      notes.accept(new Note(name, why));
      return recorded.deepCopy().setAll(Rounding.answer(layout.get("pools"), value));
    }
    return recorded;
  }

  private ObjectNode reserveAnswer(String name, ObjectNode recorded) {
    if (Json.isAboveRange(recorded.get("size"))) {
      return refused(name, recorded, error("AboveRange"), "a size above 2^63-1 is refused");
    }
    if (recorded.at("/error/variant").asText().equals("Panic")) {
      notes.accept(new Note(name, "the reference aborts, Cistern answers"));
      return recorded.deepCopy().put("result", ANY);
    }
    return recorded;
  }

  private ObjectNode parsedAnswer(String name, ObjectNode recorded) {
    return Json.isAboveRange(recorded.path("bytes"))
        ? refused(name, recorded, error("SizeText"), "a size above 2^63-1 is refused")
        : recorded;
  }

  private ObjectNode refused(String name, ObjectNode recorded, ObjectNode error, String why) {
    notes.accept(new Note(name, why));
    ObjectNode answer = recorded.deepCopy().put("result", "error");
    answer.set("error", error);
    return answer;
  }

  private static ObjectNode error(String variant) {
    return Json.object().put("variant", variant);
  }
}
