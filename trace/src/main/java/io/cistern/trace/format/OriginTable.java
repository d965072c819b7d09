package io.cistern.trace.format;

import io.cistern.trace.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Origins, each kept once and told by its number. A trace may have any number of them: those that
 * come when the text of the others fills a bound are all one.
 */
final class OriginTable {

  /** Stands for no origin. */
  static final int NONE = 0;

  private static final int MOST_CHARS = 16 << 20;

  /** What an entry of the tables takes about, in characters. */
  private static final int ENTRY_CHARS = 100;

  private static final Origin REST = new Origin("other", "");

  private final List<@Nullable Origin> origins = new ArrayList<>();
  private final Map<Origin, Integer> numbers = new HashMap<>();

  // A recording that shares the calls of a place shares the object as well.
  private final IdentityHashMap<Object, Integer> numbersOfShared = new IdentityHashMap<>();
  private int chars;

  OriginTable() {
    origins.add(null);
  }

  /** The number of an origin. */
  int number(@Nullable Origin origin) {
    if (origin == null) {
      return NONE;
    }
    Integer known = numbers.get(origin);
    return known != null ? known : add(origin);
  }

  private int add(Origin origin) {
    int needed = ENTRY_CHARS + origin.tag().length() + origin.stack().length();
    if (needed > MOST_CHARS - chars && !origin.equals(REST)) {
      return number(REST);
    }
    chars += needed;
    numbers.put(origin, origins.size());
    origins.add(origin);
    return origins.size() - 1;
  }

  /** The number of what an object means, which is asked for once. */
  <T> int number(T shared, Function<T, @Nullable Origin> meaning) {
    Integer known = numbersOfShared.get(shared);
    if (known == null) {
      known = number(meaning.apply(shared));
      numbersOfShared.put(shared, known);
    }
    return known;
  }

  @Nullable Origin get(int number) {
    return origins.get(number);
  }
}
