package io.cistern.trace;

/** Tells formats by how a file begins. */
final class FormatDetector {

  /** So many first bytes tell. */
  static final int HEAD_BYTE_SIZE = 1 << 13;

  private static final byte PICKLE_PROTO = (byte) 0x80;

  private FormatDetector() {}

  /** The format; the common CSV if it looks like none, whose reader then says what is missing. */
  static TraceFormat of(byte[] head) {
    if (head.length > 0 && head[0] == PICKLE_PROTO) {
      return TraceFormat.PYTORCH_SNAPSHOT;
    }
    return TraceFormat.CSV;
  }
}
