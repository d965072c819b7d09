package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import io.cistern.trace.TraceFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads a malloc-lab {@code .rep}: two or four lines of numbers, among them how many operations
 * follow, then {@code a ID SIZE}, {@code r ID SIZE} and {@code f ID}.
 *
 * <p>A realloc is an allocation and then a free. Time is the number of the operation.
 */
final class MallocLabReader extends LineTraceReader {

  private static final int MOST_HEADER_LINES = 4;

  private final long announced;
  private long operation;

  MallocLabReader(TraceInput input) throws IOException {
    super(TraceFormat.MALLOC_LAB, input);
    List<Long> header = new ArrayList<>();
    @Nullable String line = firstLine("header of numbers");
    while (line != null && header.size() < MOST_HEADER_LINES && Numbers.count(line) >= 0) {
      header.add(Numbers.count(line));
      line = nextLine();
    }
    if (header.size() != 2 && header.size() != MOST_HEADER_LINES) {
      throw error(
          "a malloc-lab trace begins with two or four lines of a number each, not "
              + header.size());
    }
    facts.setNoClock("numbers of operations");
    this.announced = header.get(header.size() == 2 ? 1 : 2);
    if (line != null) {
      unread(line);
    }
  }

  /** Whether a text begins as such traces do. */
  static boolean matches(String head) {
    List<String> lines =
        head.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .limit(MOST_HEADER_LINES + 1)
            .toList();
    int numbers = 0;
    while (numbers < lines.size() && Numbers.count(lines.get(numbers)) >= 0) {
      numbers++;
    }
    return numbers >= 2 && numbers < lines.size() && lines.get(numbers).matches("[ar] [0-9].*");
  }

  @Override
  @Nullable String take(String text) throws TraceException {
    String[] words = text.split(" +", -1);
    long time = operation++;
    facts.add(TraceFacts.Count.EVENTS, 1);
    boolean free = words[0].equals("f");
    if (free && words.length > 1 && words[1].equals("-1")) {
      // Of no pointer, which does nothing.
      return null;
    }
    long id = words.length > 1 ? Numbers.count(words[1]) : -1;
    long byteSize = words.length > 2 ? Numbers.count(words[2]) : -1;
    if (id < 0 || id == Long.MAX_VALUE || (byteSize < 0 && !free)) {
      return Texts.shown(text) + " is no operation: that is a ID SIZE, r ID SIZE or f ID";
    }
    // Ids count from 0, which as an address is none.
    long address = id + 1;
    return switch (words[0]) {
      case "a" -> {
        allocated(address, byteSize, 0, 0, time);
        yield null;
      }
      case "r" -> reallocated(address, address, byteSize, 0, 0, time);
      case "f" -> freed(address, OptionalLong.empty(), 0, 0, time);
      default -> "unknown operation " + Texts.shown(words[0]) + ": it is a, r or f";
    };
  }

  @Override
  void atEnd() throws TraceException {
    if (operation != announced) {
      addOdd("the header announces " + announced + " operations; there are " + operation);
    }
  }
}
