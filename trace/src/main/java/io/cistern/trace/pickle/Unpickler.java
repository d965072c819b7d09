package io.cistern.trace.pickle;

import io.cistern.trace.table.HeapBudget;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the plain data of a pickle, protocols 2 to 5: numbers, texts, lists, tuples, dictionaries.
 * An opcode that would look up a class or call something is refused.
 *
 * <p>Works without recursion, and within a bound on the memory of all values and of the memo.
 *
 * <p>Source: CPython's {@code Lib/pickletools.py}.
 */
public final class Unpickler {

  private static final int MOST_PROTOCOL = 5;
  private static final int MOST_INTEGER_BYTES = 64;

  // What a value costs about, headers and its place in a list or the memo included.
  private static final int OBJECT_BYTES = 32;
  private static final int PLACE_BYTES = 8;

  private final PickleInput in;
  private final HeapBudget budget;
  private long opcodeOffset;

  private final List<@Nullable Object> stack = new ArrayList<>();
  private @Nullable Object[] memo = new @Nullable Object[256];
  private int memoCount;
  private int[] marks = new int[16];
  private int markCount;
  private int highestStack;

  private Unpickler(InputStream in, HeapBudget budget) {
    this.in = new PickleInput(in);
    this.budget = budget;
  }

  /**
   * Reads one pickle.
   *
   * @param in the bytes, from a PROTO opcode on
   * @param budget the memory that its values take, as far as it can be estimated
   * @return a Long, Double, String, Boolean, List, {@link PlainDict}; null for None and for byte
   *     strings, which no one asked for yet
   * @throws PickleException if the pickle is damaged or holds more than plain data
   * @throws IOException if the bytes can't be read
   */
  public static @Nullable Object read(InputStream in, HeapBudget budget)
      throws IOException, PickleException {
    return new Unpickler(in, budget).run();
  }

  private @Nullable Object run() throws IOException, PickleException {
    readProtocol();
    while (true) {
      opcodeOffset = in.byteOffset();
      int opcode = in.one("an opcode");
      if (opcode == '.') {
        @Nullable Object value = pop();
        // Compressed data has its checksum behind the last byte.
        in.read();
        return value;
      }
      step(opcode);
    }
  }

  private void readProtocol() throws IOException, PickleException {
    int first = in.read();
    if (first < 0) {
      throw fault("the file is empty");
    }
    if (first != 0x80) {
      throw fault(
          "this is no pickle of protocol 2 to 5: it begins with 0x%02x, not 0x80".formatted(first));
    }
    int protocol = in.one("the protocol");
    if (protocol < 2 || protocol > MOST_PROTOCOL) {
      throw fault("the pickle has protocol " + protocol + "; 2 to 5 can be read");
    }
  }

  private PickleException fault(String reason) {
    return new PickleException(opcodeOffset, reason);
  }

  private void charge(long byteSize) throws PickleException {
    if (!budget.take(byteSize)) {
      throw fault(budget.why());
    }
  }

  private void step(int opcode) throws IOException, PickleException {
    switch (opcode) {
      case 0x95 -> in.number(8, "the length of a frame");
      case 0x80 -> throw fault("a second PROTO opcode");
      case '(' -> mark();
      case '0' -> pop();
      case '1' -> popMark();
      case '2' -> push(top());
      case 'N' -> push(null);
      case 0x88 -> push(true);
      case 0x89 -> push(false);
      case 'K' -> pushNew(in.number(1, "an integer"));
      case 'M' -> pushNew(in.number(2, "an integer"));
      case 'J' -> pushNew((long) (int) in.number(4, "an integer"));
      case 0x8a -> pushNew(integer(in.number(1, "an integer's length")));
      case 0x8b -> pushNew(integer(in.number(4, "an integer's length")));
      case 'G' -> pushNew(Double.longBitsToDouble(Long.reverseBytes(in.number(8, "a number"))));
      case 'I' -> pushLine(true);
      case 'L' -> pushLine(false);
      case 0x8c, 'U' -> text(1);
      case 'X', 'T' -> text(4);
      case 0x8d -> text(8);
      case 'C' -> skipBytes(1);
      case 'B' -> skipBytes(4);
      case 0x8e, 0x96 -> skipBytes(8);
      case ']' -> pushNew(new ArrayList<@Nullable Object>(0));
      case ')' -> pushNew(new ArrayList<@Nullable Object>(0));
      case '}' -> pushNew(new PlainDict());
      case 0x8f -> pushNew(new ArrayList<@Nullable Object>(0));
      case 'a' -> append();
      case 'e', 0x90 -> appendAll();
      case 'l', 't', 0x91 -> pushNew(popMark());
      case 0x85 -> tuple(1);
      case 0x86 -> tuple(2);
      case 0x87 -> tuple(3);
      case 's' -> setItem();
      case 'u' -> setItems(popMark());
      case 'd' -> newDict();
      case 0x94 -> memoize(memoCount);
      case 'q' -> memoize(in.number(1, "a place in the memo"));
      case 'r' -> memoize(in.number(4, "a place in the memo"));
      case 'h' -> recall(in.number(1, "a place in the memo"));
      case 'j' -> recall(in.number(4, "a place in the memo"));
      default -> throw fault(Refused.why(opcode));
    }
  }

  // The stack.

  private int floor() {
    return markCount == 0 ? 0 : marks[markCount - 1];
  }

  private void push(@Nullable Object value) throws PickleException {
    stack.add(value);
    if (stack.size() > highestStack) {
      highestStack = stack.size();
      charge(PLACE_BYTES);
    }
  }

  private void pushNew(@Nullable Object value) throws PickleException {
    charge(OBJECT_BYTES);
    push(value);
  }

  private @Nullable Object top() throws PickleException {
    if (stack.size() <= floor()) {
      throw fault("the stack is empty where a value should be");
    }
    return stack.getLast();
  }

  private @Nullable Object pop() throws PickleException {
    @Nullable Object value = top();
    stack.removeLast();
    return value;
  }

  private void mark() throws PickleException {
    if (markCount == marks.length) {
      charge((long) PLACE_BYTES * markCount);
      marks = Arrays.copyOf(marks, 2 * markCount);
    }
    marks[markCount++] = stack.size();
  }

  /** Takes the values above the last mark, and the mark. */
  private List<@Nullable Object> popMark() throws PickleException {
    if (markCount == 0) {
      throw fault("there is no mark on the stack where one should be");
    }
    List<@Nullable Object> above = stack.subList(marks[--markCount], stack.size());
    List<@Nullable Object> values = new ArrayList<>(above);
    above.clear();
    charge((long) PLACE_BYTES * values.size());
    return values;
  }

  // Scalars.

  private @Nullable Object integer(long byteCount) throws IOException, PickleException {
    if (byteCount > MOST_INTEGER_BYTES) {
      throw fault("an integer has " + byteCount + " bytes; at most 64 can be read");
    }
    byte[] bytes = in.bytes(byteCount, "an integer");
    if (bytes.length == 0) {
      return 0L;
    }
    for (int i = 0; i < bytes.length / 2; i++) {
      byte swapped = bytes[i];
      bytes[i] = bytes[bytes.length - 1 - i];
      bytes[bytes.length - 1 - i] = swapped;
    }
    return narrow(new BigInteger(bytes));
  }

  private static Object narrow(BigInteger value) {
    if (value.bitLength() < Long.SIZE) {
      return value.longValue();
    }
    return value;
  }

  /** An integer in decimal; an old way to write it also stands for true and false. */
  private void pushLine(boolean mayBeBoolean) throws IOException, PickleException {
    String text = new String(in.line("an integer"), StandardCharsets.US_ASCII);
    if (mayBeBoolean && (text.equals("00") || text.equals("01"))) {
      push(text.equals("01"));
      return;
    }
    String digits = text.endsWith("L") ? text.substring(0, text.length() - 1) : text;
    if (!digits.matches("-?[0-9]{1,150}")) {
      throw fault("an integer is not a number: \"" + text + "\"");
    }
    pushNew(narrow(new BigInteger(digits)));
  }

  private void text(int lengthBytes) throws IOException, PickleException {
    push(new String(countedBytes(lengthBytes, "a text"), StandardCharsets.UTF_8));
  }

  /** Byte strings mean nothing to us. */
  private void skipBytes(int lengthBytes) throws IOException, PickleException {
    byte[] bytes = countedBytes(lengthBytes, "a byte string");
    budget.giveBack(bytes.length);
    push(null);
  }

  private byte[] countedBytes(int lengthBytes, String what) throws IOException, PickleException {
    long length = in.number(lengthBytes, "the length of " + what);
    if (length < 0) {
      throw fault(what + " has a length of 2^63 bytes or more");
    }
    if (length > budget.boundByteSize()) {
      throw fault(what + " has " + length + " bytes, more than can be held");
    }
    charge(OBJECT_BYTES + length);
    return in.bytes(length, what);
  }

  // Lists and dictionaries.

  private List<@Nullable Object> topList() throws PickleException {
    if (top() instanceof ArrayList<?> list) {
      @SuppressWarnings("unchecked") // All lists here are of this kind.
      List<@Nullable Object> known = (List<@Nullable Object>) list;
      return known;
    }
    throw fault("there is no list on the stack where one should be");
  }

  private void append() throws PickleException {
    @Nullable Object value = pop();
    charge(PLACE_BYTES);
    topList().add(value);
  }

  private void appendAll() throws PickleException {
    List<@Nullable Object> values = popMark();
    topList().addAll(values);
  }

  private void tuple(int count) throws PickleException {
    @Nullable Object[] values = new @Nullable Object[count];
    for (int i = count - 1; i >= 0; i--) {
      values[i] = pop();
    }
    charge((long) PLACE_BYTES * count);
    pushNew(new ArrayList<>(Arrays.asList(values)));
  }

  private void setItem() throws PickleException {
    @Nullable Object value = pop();
    @Nullable Object key = pop();
    setItems(Arrays.asList(key, value));
  }

  private void setItems(List<@Nullable Object> keysAndValues) throws PickleException {
    if (!(top() instanceof PlainDict dict)) {
      throw fault("there is no dictionary on the stack where one should be");
    }
    if (keysAndValues.size() % 2 != 0) {
      throw fault("the last key of a dictionary has no value");
    }
    charge((long) PLACE_BYTES * keysAndValues.size());
    for (int i = 0; i < keysAndValues.size(); i += 2) {
      dict.put(keysAndValues.get(i), keysAndValues.get(i + 1));
    }
  }

  private void newDict() throws PickleException {
    List<@Nullable Object> keysAndValues = popMark();
    pushNew(new PlainDict());
    setItems(keysAndValues);
  }

  // The memo.

  private void memoize(long place) throws PickleException {
    // Python numbers them in order, so a gap is damage, and would cost memory.
    if (place > memoCount) {
      throw fault("place " + place + " of the memo is filled before place " + memoCount);
    }
    if (place == memo.length) {
      memo = Arrays.copyOf(memo, 2 * memo.length);
    }
    charge(place == memoCount ? PLACE_BYTES : 0);
    memo[(int) place] = top();
    memoCount = Math.max(memoCount, (int) place + 1);
  }

  private void recall(long place) throws PickleException {
    if (place >= memoCount) {
      throw fault("place " + place + " of the memo is empty");
    }
    push(memo[(int) place]);
  }
}
