package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The device work of a scenario: what was launched, and what had to be waited for. */
final class Work {

  private final Map<String, Token> tokens = new ConcurrentHashMap<>();
  private final ThreadLocal<List<Token>> waitedFor = ThreadLocal.withInitial(ArrayList::new);

  /** Launches work on regions; each of them is used until the work ends. */
  void launch(String name, String stream, List<String> uses, JsonNode reads, Book book) {
    Token token = new Token(name, stream, one -> waitedFor.get().add(one));
    List<Ledger.Region> used = new ArrayList<>();
    for (String id : uses) {
      Ledger.Held held = book.handle(id);
      held.allocation().usedUntil(token);
      book.use(held.region());
      used.add(held.region());
    }
    for (var read : reads.properties()) {
      String id = read.getKey();
      token.reads(id, book.handle(id).allocation().segment());
      Patterns.verify(
          id + " at the launch of " + name,
          book.handle(id).allocation().segment(),
          (byte) Json.number(read.getValue()));
    }
    token.atEnd(() -> used.forEach(book::done));
    if (tokens.put(name, token) != null) {
      throw new AssertionError("launched twice: " + name);
    }
  }

  /** Whether work of that name was launched. */
  boolean knows(String name) {
    return tokens.containsKey(name);
  }

  /** Ends work, if it has not ended; what it read. */
  ObjectNode complete(String name) {
    Token token = tokens.get(name);
    token.complete();
    return token.facts();
  }

  /** Ends the work of a stream. */
  void sync(String stream) {
    tokens.values().stream()
        .filter(token -> token.stream().equals(stream))
        .forEach(Token::complete);
  }

  /** Ends all work. */
  void syncAll() {
    tokens.values().forEach(Token::complete);
  }

  /** What this thread has waited for since it last asked. */
  List<Token> waitedFor() {
    List<Token> tokensWaitedFor = waitedFor.get();
    waitedFor.remove();
    return tokensWaitedFor;
  }
}
