package io.cistern.trace.script;

import io.cistern.config.MemoryPoolsConfig;
import java.util.Map;

/** An operation of a script. Streams are numbers; without streams the number is 0. */
sealed interface ScriptStep {

  /** Asks for memory. */
  record Allocate(String name, long byteSize, long byteAlignment, String tag, int stream)
      implements ScriptStep {}

  /** Takes one more handle on the slice of another. */
  record Retain(String name, String of) implements ScriptStep {}

  /** Closes a handle. */
  record Close(String handle) implements ScriptStep {}

  /** Says that device work uses a slice until a fence passes. */
  record Use(String handle, String fence) implements ScriptStep {}

  /** A fence passes. */
  record Pass(String fence) implements ScriptStep {}

  /** Asks for the memory of a slice. */
  record Resolve(String handle) implements ScriptStep {}

  /** Opens a persistent window. */
  record Window(String name, int stream) implements ScriptStep {}

  /** Opens a dry run. */
  record DryRun(String name, int stream) implements ScriptStep {}

  /** Begins a capture. */
  record Capture(String name, int stream) implements ScriptStep {}

  /** Ends the priming of a capture. */
  record Primed(String capture) implements ScriptStep {}

  /** Ends a capture and pins its slices. */
  record Pin(String name, String capture) implements ScriptStep {}

  /** Closes a window, a dry run or a pin. */
  record End(String name) implements ScriptStep {}

  /** Gives free memory back. */
  record Trim() implements ScriptStep {}

  /** Puts another layout in force. */
  record Install(MemoryPoolsConfig pools) implements ScriptStep {}

  /** Ends a stream. */
  record CloseStream(int stream) implements ScriptStep {}

  /** The driver refuses from here on, or works again. */
  record Driver(boolean refusesBlocks, boolean refusesFrees) implements ScriptStep {}

  /** Totals must have values. */
  record Expect(Map<Total, Long> values) implements ScriptStep {}

  /** What can be expected. */
  enum Total {
    /** Live slices. */
    ALLOCATIONS,
    /** Their requested bytes. */
    IN_USE,
    /** What rounding them up costs. */
    PADDING,
    /** Bytes that fences keep. */
    PENDING,
    /** Bytes that captures alone hold. */
    PINNED,
    /** Bytes of all pages. */
    RESERVED,
    /** Requests that were refused so far. */
    REFUSED
  }
}
