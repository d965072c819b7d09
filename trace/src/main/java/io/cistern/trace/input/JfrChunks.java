package io.cistern.trace.input;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFaults;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a Flight Recorder recording, one after the other, each as a temporary file: the
 * JDK's parser wants a file, and a chunk is one by itself.
 *
 * <p>What would have that parser go round in circles is refused here: events have lengths that lead
 * from the header to the chunk's end, and checkpoints lead to earlier ones.
 *
 * <p>Source: {@code jdk.jfr.internal.consumer.ChunkHeader} and {@code ChunkParser}.
 */
public final class JfrChunks implements Closeable {

  private static final byte[] MAGIC = {'F', 'L', 'R', 0};
  private static final int HEADER_BYTE_SIZE = 68;

  // Where numbers stand in the header.
  private static final int CHUNK_SIZE = 8;
  private static final int CHECKPOINT = 16;
  private static final int METADATA = 24;
  private static final int TICKS_PER_SECOND = 56;
  private static final int STATE = 64;

  private static final int METADATA_TYPE = 0;
  private static final int CHECKPOINT_TYPE = 1;
  private static final int MOST_NUMBER_BYTES = 9;

  private final InputStream in;
  private final TraceFaults faults;
  private @Nullable Path file;
  private long chunkStart;
  private long position;

  // Of the present chunk.
  private final Map<Long, Long> checkpoints = new HashMap<>();
  private final Set<Long> metadata = new HashSet<>();

  /** Reads a recording from its first byte on. */
  public JfrChunks(InputStream in, TraceFaults faults) {
    this.in = new BufferedInputStream(in, 1 << 16);
    this.faults = faults;
  }

  /** Whether data begins as recordings do. */
  public static boolean matches(byte[] head) {
    return head.length >= MAGIC.length && Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, 4);
  }

  /**
   * The next chunk, which is there until the one behind it is asked for; null at the end.
   *
   * @throws TraceException if it is damaged, or was never finished
   */
  public @Nullable Path next() throws IOException {
    deleteFile();
    chunkStart += position;
    position = 0;
    checkpoints.clear();
    metadata.clear();
    try {
      byte[] header = in.readNBytes(HEADER_BYTE_SIZE);
      if (header.length == 0 && chunkStart > 0) {
        return null;
      }
      long byteSize = check(header);
      file = Files.createTempFile("cistern-", ".jfr");
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
        out.write(header);
        position = HEADER_BYTE_SIZE;
        while (position < byteSize) {
          copyEvent(out, byteSize);
        }
      }
      checkPlaces(ByteBuffer.wrap(header));
      return file;
    } catch (DamagedInputException e) {
      throw error(String.valueOf(e.getMessage()));
    }
  }

  /** Something is wrong at the present place. */
  private TraceException error(String reason) {
    return faults.errorAtByte(chunkStart + position, reason);
  }

  /** Something is wrong with what is in the present chunk. */
  public TraceException damaged(String reason) {
    return faults.errorAtByte(chunkStart, "the chunk that begins here is damaged: " + reason);
  }

  private long check(byte[] header) throws TraceException {
    if (!matches(header)) {
      throw error("no chunk of a Flight Recorder recording begins here");
    }
    if (header.length < HEADER_BYTE_SIZE) {
      throw error("the recording is cut off in the header of a chunk");
    }
    ByteBuffer numbers = ByteBuffer.wrap(header);
    if (header[STATE] != 0) {
      throw error("the recording was not finished: its program wrote to it, or broke off");
    }
    long byteSize = numbers.getLong(CHUNK_SIZE);
    if (byteSize < HEADER_BYTE_SIZE || numbers.getLong(TICKS_PER_SECOND) <= 0) {
      throw damaged("its header has impossible numbers");
    }
    return byteSize;
  }

  /** Each event begins with its length, its own bytes included, and its type. */
  private void copyEvent(OutputStream out, long byteSize) throws IOException {
    long start = position;
    long length = number(out);
    if (length <= 0 || length > byteSize - start) {
      throw damaged("the event at byte " + (chunkStart + start) + " has a length of " + length);
    }
    long type = number(out);
    if (type == METADATA_TYPE) {
      metadata.add(start);
    } else if (type == CHECKPOINT_TYPE) {
      // Its time and duration come first.
      number(out);
      number(out);
      checkpoints.put(start, number(out));
    }
    if (position > start + length) {
      throw damaged("the event at byte " + (chunkStart + start) + " is longer than it says");
    }
    copy(out, start + length - position);
  }

  private void copy(OutputStream out, long count) throws IOException {
    for (long left = count; left > 0; ) {
      byte[] bytes = in.readNBytes((int) Math.min(left, 1 << 13));
      position += bytes.length;
      if (bytes.length == 0) {
        throw error("the recording is cut off within a chunk");
      }
      out.write(bytes);
      left -= bytes.length;
    }
  }

  /** Seven bits a byte, the lowest first; the ninth byte has eight. */
  private long number(OutputStream out) throws IOException {
    long value = 0;
    for (int i = 0; i < MOST_NUMBER_BYTES; i++) {
      int next = in.read();
      if (next < 0) {
        throw error("the recording is cut off within a chunk");
      }
      position++;
      out.write(next);
      boolean last = i == MOST_NUMBER_BYTES - 1;
      value |= (long) (last ? next : next & 0x7f) << (7 * i);
      if (next < 0x80) {
        break;
      }
    }
    return value;
  }

  /** From the header to the last checkpoint, and from each to the one before it. */
  private void checkPlaces(ByteBuffer header) throws TraceException {
    if (!metadata.contains(header.getLong(METADATA))) {
      throw damaged("its header does not lead to its metadata");
    }
    long place = header.getLong(CHECKPOINT);
    long step;
    do {
      step = checkpoints.getOrDefault(place, 1L);
      if (step > 0) {
        throw damaged("its checkpoints do not lead from one to the one before");
      }
      place += step;
    } while (step != 0);
  }

  private void deleteFile() throws IOException {
    if (file != null) {
      Files.deleteIfExists(file);
      file = null;
    }
  }

  @Override
  public void close() throws IOException {
    deleteFile();
    in.close();
  }
}
