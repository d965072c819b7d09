package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * What came of an operation that a scenario names.
 *
 * @param facts what is known of it, by the scenarios' words
 * @param refusal why it was refused; null if it was not
 * @param given the text that was given to it, if any
 */
record Result(ObjectNode facts, @Nullable Refusal refusal, String given) {

  static Result ok(ObjectNode facts, String given) {
    return new Result(facts.put("ok", true), null, given);
  }

  static Result refused(RuntimeException exception, String given) {
    return new Result(Json.object(), Refusal.of(exception), given);
  }

  @Override
  public String toString() {
    return refusal == null ? facts.toString() : refusal.kind() + ": " + refusal.message();
  }
}
