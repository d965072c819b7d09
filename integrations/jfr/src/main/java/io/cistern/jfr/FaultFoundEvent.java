package io.cistern.jfr;

import io.cistern.MemoryFault;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.FaultFound")
@Label("Fault Found")
@Description("Bytes were written that nobody may write")
final class FaultFoundEvent extends ManagerEvent {

  @Label("Kind")
  final String kind;

  @Label("Message")
  @Description("Where, how many bytes, and whose they were")
  final String message;

  FaultFoundEvent(String manager, MemoryFault fault) {
    super(manager);
    this.kind = fault.kind().name();
    this.message = fault.toString();
  }
}
