package io.cistern.trace.pickle;

import java.util.Map;

/** The opcodes that look up or call something, or need what stands outside of the pickle. */
final class Refused {

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry((int) 'c', "GLOBAL"),
          Map.entry(0x93, "STACK_GLOBAL"),
          Map.entry((int) 'R', "REDUCE"),
          Map.entry((int) 'b', "BUILD"),
          Map.entry((int) 'i', "INST"),
          Map.entry((int) 'o', "OBJ"),
          Map.entry(0x81, "NEWOBJ"),
          Map.entry(0x92, "NEWOBJ_EX"),
          Map.entry(0x82, "EXT1"),
          Map.entry(0x83, "EXT2"),
          Map.entry(0x84, "EXT4"),
          Map.entry((int) 'P', "PERSID"),
          Map.entry((int) 'Q', "BINPERSID"),
          Map.entry(0x97, "NEXT_BUFFER"),
          Map.entry(0x98, "READONLY_BUFFER"));

  private Refused() {}

  /** Why an opcode that is none of plain data is not run. */
  static String why(int opcode) {
    String name = NAMES.get(opcode);
    return name == null
        ? "0x%02x is no opcode of pickle protocols 0 to 5".formatted(opcode)
        : "the pickle has the opcode " + name + ", which is no plain data; it is not run";
  }
}
