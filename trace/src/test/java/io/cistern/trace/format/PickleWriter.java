package io.cistern.trace.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes plain data as Python's pickler does: protocol 2 to 5, every container memoized. */
final class PickleWriter {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final int protocol;
  private int memo;

  private PickleWriter(int protocol) {
    this.protocol = protocol;
  }

  static byte[] pickle(int protocol, Object value) {
    PickleWriter writer = new PickleWriter(protocol);
    writer.out.write(0x80);
    writer.out.write(protocol);
    writer.write(value);
    writer.out.write('.');
    return writer.out.toByteArray();
  }

  private void write(Object value) {
    switch (value) {
      case null -> out.write('N');
      case Boolean bool -> out.write(bool ? 0x88 : 0x89);
      case Integer number -> writeLong(number);
      case Long number -> writeLong(number);
      case String text -> writeText(text);
      case List<?> list -> writeList(list);
      case Map<?, ?> dict -> writeDict(dict);
      default -> throw new IllegalArgumentException(value.toString());
    }
  }

  private void writeLong(long value) {
    if (value >= 0 && value < 256) {
      out.write('K');
      little(value, 1);
    } else if (value == (int) value) {
      out.write('J');
      little(value, 4);
    } else {
      out.write(0x8a);
      out.write(8);
      little(value, 8);
    }
  }

  private void writeText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write(protocol < 4 ? 'X' : 0x8c);
    little(bytes.length, protocol < 4 ? 4 : 1);
    out.writeBytes(bytes);
    memoize();
  }

  private void writeList(List<?> list) {
    out.write(']');
    memoize();
    out.write('(');
    list.forEach(this::write);
    out.write('e');
  }

  private void writeDict(Map<?, ?> dict) {
    out.write('}');
    memoize();
    out.write('(');
    dict.forEach(
        (key, value) -> {
          write(key);
          write(value);
        });
    out.write('u');
  }

  private void memoize() {
    if (protocol >= 4) {
      out.write(0x94);
    } else if (memo < 256) {
      out.write('q');
      little(memo, 1);
    } else {
      out.write('r');
      little(memo, 4);
    }
    memo++;
  }

  private void little(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }
}
