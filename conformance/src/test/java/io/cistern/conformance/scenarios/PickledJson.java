package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes a JSON value as a pickle, with the plainest opcodes of protocol 2 and no memo. */
final class PickledJson {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private PickledJson() {}

  static byte[] of(JsonNode value) {
    PickledJson pickle = new PickledJson();
    pickle.out.writeBytes(new byte[] {(byte) 0x80, 2});
    pickle.write(value);
    pickle.out.write('.');
    return pickle.out.toByteArray();
  }

  private void write(JsonNode value) {
    if (value.isObject()) {
      out.write('}');
      value
          .properties()
          .forEach(
              field -> {
                writeText(field.getKey());
                write(field.getValue());
                out.write('s');
              });
    } else if (value.isArray()) {
      out.write(']');
      value.forEach(
          element -> {
            write(element);
            out.write('a');
          });
    } else if (value.isTextual()) {
      writeText(value.asText());
    } else if (value.isIntegralNumber()) {
      writeInteger(value.bigIntegerValue());
    } else if (value.isNumber()) {
      out.write('G');
      out.writeBytes(ByteBuffer.allocate(Double.BYTES).putDouble(value.doubleValue()).array());
    } else if (value.isBoolean()) {
      out.write(value.booleanValue() ? 0x88 : 0x89);
    } else {
      out.write('N');
    }
  }

  private void writeText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write('X');
    out.writeBytes(
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(bytes.length)
            .array());
    out.writeBytes(bytes);
  }

  private void writeInteger(BigInteger value) {
    byte[] bytes = value.toByteArray();
    out.write(0x8a);
    out.write(bytes.length);
    for (int i = bytes.length - 1; i >= 0; i--) {
      out.write(bytes[i]);
    }
  }
}
