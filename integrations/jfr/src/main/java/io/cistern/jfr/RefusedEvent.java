package io.cistern.jfr;

import io.cistern.AllocationException;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The one event with a stack trace: whoever asked for too much is what its reader looks for. */
@Name("io.cistern.Refused")
@Label("Request Refused")
@Description("A request was refused because the memory for it could not be had")
@StackTrace(true)
final class RefusedEvent extends ManagerEvent {

  @Label("Request Size")
  @DataAmount
  final long requestSize;

  @Label("Class")
  @Description("Class of the exception that the caller got")
  final Class<?> thrownClass;

  @Label("Message")
  final @Nullable String message;

  RefusedEvent(String manager, long requestSize, AllocationException error) {
    super(manager);
    this.requestSize = requestSize;
    this.thrownClass = error.getClass();
    this.message = error.getMessage();
  }
}
