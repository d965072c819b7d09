package io.cistern.model;

import io.cistern.config.MemoryPoolsConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * An operation of a program. What it makes has a name, by which later ones name it; a step that
 * names what is not there is passed over, so that any steps can be taken out of a program.
 */
sealed interface Step {

  /** The line of a script that says the same. */
  String line();

  /** Asks for memory; without streams the stream is 0. */
  record Allocate(String name, int stream, long byteSize, long alignment) implements Step {
    @Override
    public String line() {
      String align = alignment == 1 ? "" : " align=" + alignment;
      return "allocate " + name + " " + byteSize + align + on(stream);
    }
  }

  /** Takes one more handle on a slice. */
  record Retain(String name, String of) implements Step {
    @Override
    public String line() {
      return "retain " + name + " " + of;
    }
  }

  /** Closes a handle. */
  record Close(String handle) implements Step {
    @Override
    public String line() {
      return "close " + handle;
    }
  }

  /** Says that device work uses a slice until a fence passes. */
  record Use(String handle, String fence) implements Step {
    @Override
    public String line() {
      return "use " + handle + " " + fence;
    }
  }

  /** A fence passes. */
  record Pass(String fence) implements Step {
    @Override
    public String line() {
      return "pass " + fence;
    }
  }

  /** Asks for the memory of a slice. */
  record Resolve(String handle) implements Step {
    @Override
    public String line() {
      return "resolve " + handle;
    }
  }

  /** Opens a persistent window. */
  record Window(String name, int stream) implements Step {
    @Override
    public String line() {
      return "window " + name + on(stream);
    }
  }

  /** Opens a dry run. */
  record DryRun(String name, int stream) implements Step {
    @Override
    public String line() {
      return "dry_run " + name + on(stream);
    }
  }

  /** Begins a capture, or names the one under way once more. */
  record Capture(String name, int stream) implements Step {
    @Override
    public String line() {
      return "capture " + name + on(stream);
    }
  }

  /** Ends the priming of a capture. */
  record Primed(String capture) implements Step {
    @Override
    public String line() {
      return "primed " + capture;
    }
  }

  /** Ends a capture and pins its slices. */
  record Pin(String name, String capture) implements Step {
    @Override
    public String line() {
      return "pin " + name + " " + capture;
    }
  }

  /** Closes a window, a dry run or a pin. */
  record End(String name) implements Step {
    @Override
    public String line() {
      return "end " + name;
    }
  }

  /** Gives free memory back. */
  record Trim() implements Step {
    @Override
    public String line() {
      return "trim";
    }
  }

  /** Puts another layout in force. */
  record Install(MemoryPoolsConfig pools) implements Step {
    @Override
    public String line() {
      return "install " + SetUp.text(pools);
    }
  }

  /** Ends a stream. */
  record CloseStream(int stream) implements Step {
    @Override
    public String line() {
      return "close_stream " + stream;
    }
  }

  /** The driver refuses from here on, or works again. */
  record Driver(boolean refusesBlocks, boolean refusesFrees) implements Step {
    @Override
    public String line() {
      List<String> words = new ArrayList<>();
      if (refusesBlocks) {
        words.add("refuses_blocks");
      }
      if (refusesFrees) {
        words.add("refuses_frees");
      }
      return "driver " + (words.isEmpty() ? "works" : String.join(" ", words));
    }
  }

  private static String on(int stream) {
    return stream == 0 ? "" : " stream=" + stream;
  }
}
