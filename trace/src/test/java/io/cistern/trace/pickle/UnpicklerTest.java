package io.cistern.trace.pickle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.cistern.trace.table.HeapBudget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnpicklerTest {

  private static final long BOUND = 1 << 20;

  private static Object read(byte[] pickle) throws IOException, PickleException {
    return Unpickler.read(new ByteArrayInputStream(pickle), new HeapBudget(BOUND));
  }

  private static Object read(String hex) throws IOException, PickleException {
    return read(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  private static PickleException fault(byte[] pickle) {
    return catchThrowableOfType(PickleException.class, () -> read(pickle));
  }

  private static PickleException fault(String hex) {
    return fault(HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  @ParameterizedTest
  @CsvSource({
    "8002 4b07 2e,                     7",
    "8002 4d0102 2e,                   513",
    "8002 4affffffff 2e,               -1",
    "8002 8a00 2e,                     0",
    "8002 8a0180 2e,                   -128",
    "8002 8a05000000b602 2e,           11643387904",
    "8002 8b01000000ff 2e,             -1",
    "8002 49 2d35 0a 2e,               -5",
    "8002 4c 3939394c 0a 2e,           999",
  })
  void integersAreExact(String hex, long value) throws IOException, PickleException {
    assertThat(read(hex)).isEqualTo(value);
  }

  @Test
  void otherScalars() throws IOException, PickleException {
    assertThat(read("8002 88 2e")).isEqualTo(true);
    assertThat(read("8002 493030 0a 2e")).isEqualTo(false);
    assertThat(read("8002 4e 2e")).isNull();
    assertThat(read("8002 47 3ff8000000000000 2e")).isEqualTo(1.5);
    assertThat(read("8004 8c03 61c3bc 2e")).isEqualTo("a\u00fc");
    assertThat(read("8002 8a09 ffffffffffffffff00 2e"))
        .isEqualTo(new BigInteger("18446744073709551615"));
  }

  @Test
  void containersNestAndShare() throws IOException, PickleException {
    // [(1, 2), {"a": l}, l] with l = [3]
    assertThat(read("8004 5d 94 28 4b014b0286 7d 8c0161 5d 94 4b03 61 73 6801 65 2e"))
        .isInstanceOfSatisfying(
            List.class,
            list -> {
              assertThat(list.get(0)).isEqualTo(List.of(1L, 2L));
              assertThat(((PlainDict) list.get(1)).get("a")).isSameAs(list.get(2));
              assertThat(list.get(2)).isEqualTo(List.of(3L));
            });
  }

  /** What would run code, with its name and place; nothing is looked up. */
  @ParameterizedTest
  @CsvSource({
    "63 6f730a 6765746377640a, GLOBAL",
    "93, STACK_GLOBAL",
    "52, REDUCE",
    "62, BUILD",
    "69, INST",
    "6f, OBJ",
    "81, NEWOBJ",
    "92, NEWOBJ_EX",
    "82, EXT1",
    "83, EXT2",
    "84, EXT4",
    "50, PERSID",
    "51, BINPERSID",
    "97, NEXT_BUFFER",
    "98, READONLY_BUFFER",
  })
  void codeIsRefused(String hex, String name) {
    PickleException fault = fault("8004 4e" + hex + "2e");
    assertThat(fault).hasMessageContaining("the opcode " + name + ",");
    assertThat(fault.byteOffset()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8006 2e        | protocol 6; 2 to 5 can be read",
        "8001 2e        | protocol 1; 2 to 5 can be read",
        "41             | begins with 0x41, not 0x80",
        "8004           | end of file, where an opcode should be",
        "8004 4d01      | end of file, where an integer should be",
        "8004 8c05 6162 | end of file, where a text should be",
        "8004 30 2e     | the stack is empty",
        "8004 2e        | the stack is empty",
        "8004 65 2e     | there is no mark",
        "8004 4e 28 65 2e | there is no list",
        "8004 4e 4e 61 2e | there is no list",
        "8004 7d 28 4e 75 2e | the last key of a dictionary has no value",
        "8004 4e 28 4e 4e 75 2e | there is no dictionary",
        "8004 6807 2e   | place 7 of the memo is empty",
        "8004 4e 7107 2e | place 7 of the memo is filled before place 0",
        "8004 4e ff 2e  | 0xff is no opcode",
        "8004 49 78 0a 2e | an integer is not a number: \"x\"",
        "8004 8d ffffffffffffff7f 61 | has 9223372036854775807 bytes, more than can be held",
        "8004 8d ffffffffffffffff 61 | a length of 2^63 bytes or more",
        "8004 8b ffffff7f 00 | an integer has 2147483647 bytes",
      })
  void damageIsNamed(String hex, String message) {
    assertThat(fault(hex)).hasMessageContaining(message);
  }

  @Test
  void anEmptyFileIsSaidToBeEmpty() {
    assertThat(fault(new byte[0])).hasMessage("the file is empty");
  }

  /** A few bytes that would make values without end. */
  @ParameterizedTest
  @ValueSource(strings = {"4e", "5d", "7d", "28", "5d94", "8c00", "4e32"})
  void memoryHasABound(String repeated) {
    byte[] part = HexFormat.of().parseHex(repeated);
    byte[] pickle = new byte[2 + 2_000_000];
    pickle[0] = (byte) 0x80;
    pickle[1] = 4;
    for (int i = 2; i < pickle.length; i++) {
      pickle[i] = part[(i - 2) % part.length];
    }
    assertThat(fault(pickle)).hasMessageContaining("the recording needs more than 1 MiB");
  }

  /** Each list holds the one before twice; nobody walks through all of it. */
  @Test
  void sharedListsStaySmall() throws IOException, PickleException {
    StringBuilder hex = new StringBuilder("80045d94");
    for (int i = 0; i < 200; i++) {
      hex.append("5d94 28 68%02x 68%02x 65".formatted(i, i));
    }
    assertThat(read(hex.append("2e").toString())).isInstanceOf(List.class);
  }

  @Test
  void aCutShowsWhereverItIs() {
    byte[] whole =
        Base64.getDecoder().decode("gASVFAAAAAAAAAB9lCiMBHNpemWUigUAAAC2AowFc3RhdGWUXZRLAUsCZXUu");
    for (int length = 0; length < whole.length; length++) {
      assertThat(fault(Arrays.copyOf(whole, length))).as("cut at %d", length).isNotNull();
    }
  }

  /** Whatever the bytes are, there is a value or a fault, and an end. */
  @Test
  void anyBytesEnd() throws IOException {
    Random random = new Random(5);
    byte[] opcodes =
        "(012N\u0088\u0089KMJGIL]){}aeltsudqrhj\u0085\u0086\u0087\u008c\u0094."
            .getBytes(StandardCharsets.ISO_8859_1);
    int values = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[2 + random.nextInt(60)];
      for (int i = 2; i < bytes.length; i++) {
        bytes[i] =
            random.nextInt(3) == 0
                ? (byte) random.nextInt(4)
                : opcodes[random.nextInt(opcodes.length)];
      }
      bytes[0] = (byte) 0x80;
      bytes[1] = 4;
      try {
        read(bytes);
        values++;
      } catch (PickleException e) {
        assertThat(e.byteOffset()).isBetween(0L, (long) bytes.length);
      }
    }
    assertThat(values).isPositive();
  }
}
