package io.cistern.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.Closed")
@Label("Memory Manager Closed")
@Description("A memory manager was closed")
final class ClosedEvent extends ManagerEvent {

  @Label("Live Allocations")
  @Description("Allocations that nobody had closed")
  final long liveAllocations;

  @Label("Live Bytes")
  @Description("Requested bytes of the live allocations")
  @DataAmount
  final long liveBytes;

  ClosedEvent(String manager, long liveAllocations, long liveBytes) {
    super(manager);
    this.liveAllocations = liveAllocations;
    this.liveBytes = liveBytes;
  }
}
