package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.cistern.conformance.Json;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Integer expressions on loop variables, as {@code ${...}} in the ids, sizes and texts of
 * scenarios.
 *
 * <pre>
 * sum     = product { ("+" | "-") product }
 * product = factor { ("*" | "/" | "%") factor }      "/" floors, "%" is of non-negative numbers
 * factor  = number | variable | "(" sum ")" | "-" factor
 * </pre>
 */
final class Formula {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  private final String text;
  private final Map<String, Long> variables;
  private int at;

  private Formula(String text, Map<String, Long> variables) {
    this.text = text.replace(" ", "");
    this.variables = variables;
  }

  /** A text with its expressions worked out. */
  static String fill(String text, Map<String, Long> variables) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    return matcher.replaceAll(found -> String.valueOf(value(found.group(1), variables)));
  }

  /** A number, or a text that becomes one when its expressions are worked out. */
  static long number(JsonNode value, Map<String, Long> variables) {
    return value.isTextual() ? Long.parseLong(fill(value.asText(), variables)) : Json.number(value);
  }

  /** The value of an expression. */
  static long value(String expression, Map<String, Long> variables) {
    Formula formula = new Formula(expression, variables);
    long value = formula.sum();
    if (formula.at < formula.text.length()) {
      throw formula.fault();
    }
    return value;
  }

  private long sum() {
    long value = product();
    while (true) {
      if (taken('+')) {
        value = Math.addExact(value, product());
      } else if (taken('-')) {
        value = Math.subtractExact(value, product());
      } else {
        return value;
      }
    }
  }

  private long product() {
    long value = factor();
    while (true) {
      if (taken('*')) {
        value = Math.multiplyExact(value, factor());
      } else if (taken('/')) {
        value = Math.floorDiv(value, factor());
      } else if (taken('%')) {
        value = Math.floorMod(value, factor());
      } else {
        return value;
      }
    }
  }

  private long factor() {
    if (taken('-')) {
      return Math.negateExact(factor());
    }
    if (taken('(')) {
      long value = sum();
      if (!taken(')')) {
        throw fault();
      }
      return value;
    }
    int start = at;
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.isEmpty()) {
      throw fault();
    }
    if (Character.isDigit(word.charAt(0))) {
      return Long.parseLong(word);
    }
    Long variable = variables.get(word);
    if (variable == null) {
      throw new IllegalArgumentException("no variable " + word + " for " + text);
    }
    return variable;
  }

  private boolean taken(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private IllegalArgumentException fault() {
    return new IllegalArgumentException("can't read \"" + text + "\" from position " + at);
  }
}
