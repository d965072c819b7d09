package io.cistern.cli;

import io.cistern.layout.LayoutException;
import io.cistern.toml.LayoutFileException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/** Tells errors in one line each, and which exit code they mean. */
final class ErrorLines {

  private final BooleanSupplier stackTraces;

  ErrorLines(BooleanSupplier stackTraces) {
    this.stackTraces = stackTraces;
  }

  /** The command line could not be understood. */
  int wrongUse(CommandLine.ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String message =
        e instanceof CommandLine.UnmatchedArgumentException unmatched
            ? unmatched(unmatched)
            : String.valueOf(e.getMessage());
    tell(command.getErr(), message + " (see " + name + " --help)", e);
    return ExitCodes.WRONG_USE;
  }

  /** The first that is not known; what follows it may only belong to it. */
  private static String unmatched(CommandLine.UnmatchedArgumentException e) {
    String what = "Unexpected argument";
    if (e.isUnknownOption()) {
      what = "Unknown option";
    } else if (!e.getCommandLine().getSubcommands().isEmpty()) {
      what = "Unknown command";
    }
    List<String> close = e.getSuggestions();
    return what
        + " \""
        + e.getUnmatched().getFirst()
        + "\""
        + (close.isEmpty() ? "" : ": did you mean " + close.getFirst() + "?");
  }

  /** A command ended with an exception. */
  int failure(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    // What was printed before belongs above the error.
    command.getOut().flush();
    tell(command.getErr(), message(e), e);
    return isWrongUse(e) ? ExitCodes.WRONG_USE : ExitCodes.FAILED;
  }

  private static boolean isWrongUse(Exception e) {
    return e instanceof WrongUseException
        || e instanceof LayoutException
        || e instanceof LayoutFileException
        || e instanceof InvalidPathException
        || e instanceof IOException;
  }

  private static String message(Exception e) {
    return switch (e) {
      case NoSuchFileException missing -> "there is no file " + missing.getFile();
      case AccessDeniedException denied -> "the file " + denied.getFile() + " can't be read";
      case WrongUseException wrong -> String.valueOf(wrong.getMessage());
      case LayoutException layout -> String.valueOf(layout.getMessage());
      case LayoutFileException file -> String.valueOf(file.getMessage());
      case InvalidPathException path -> String.valueOf(path.getMessage());
      case IOException io -> String.valueOf(io.getMessage());
      default -> e.toString();
    };
  }

  private void tell(PrintWriter err, String message, Exception e) {
    err.println("cistern: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    if (stackTraces.getAsBoolean() || System.getenv("CISTERN_DEBUG") != null) {
      e.printStackTrace(err);
    }
    err.flush();
  }
}
