package io.cistern.jfr;

import io.cistern.MemoryUsage;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;

@Name("io.cistern.MemoryUsage")
@Label("Memory Usage")
@Description("What the memory of a manager is used for; peaks are since the layout was installed")
@Period("1 s")
final class MemoryUsageEvent extends ManagerEvent {

  @Label("Allocations")
  @Description("Live slices")
  final long allocations;

  @Label("In Use")
  @Description("Requested bytes of live slices, without padding")
  @DataAmount
  final long inUse;

  @Label("Padding")
  @Description("Bytes that rounding live slices up to the device's alignment costs")
  @DataAmount
  final long padding;

  @Label("Reserved")
  @Description("Bytes of all pages and blocks that are held")
  @DataAmount
  final long reserved;

  @Label("Pending")
  @Description("Bytes of closed slices that device work still keeps out of reach")
  @DataAmount
  final long pending;

  @Label("Pinned")
  @Description("The share of the bytes in use that captures alone hold")
  @DataAmount
  final long pinned;

  @Label("Allocations, Peak")
  final long allocationsPeak;

  @Label("In Use, Peak")
  @DataAmount
  final long inUsePeak;

  @Label("Padding, Peak")
  @DataAmount
  final long paddingPeak;

  @Label("Reserved, Peak")
  @DataAmount
  final long reservedPeak;

  MemoryUsageEvent(String manager, MemoryUsage usage) {
    super(manager);
    this.allocations = usage.allocations();
    this.inUse = usage.inUse().bytes();
    this.padding = usage.padding().bytes();
    this.reserved = usage.reserved().bytes();
    this.pending = usage.pending().bytes();
    this.pinned = usage.pinned().bytes();
    this.allocationsPeak = usage.allocationsPeak();
    this.inUsePeak = usage.inUsePeak().bytes();
    this.paddingPeak = usage.paddingPeak().bytes();
    this.reservedPeak = usage.reservedPeak().bytes();
  }
}
