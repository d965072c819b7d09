package io.cistern.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** What all events share; Flight Recorder's annotations on a class are inherited. */
@Category("Cistern")
@Enabled(false)
@StackTrace(false)
abstract class ManagerEvent extends Event {

  @Label("Memory Manager")
  @Description("Name of the memory manager")
  final String manager;

  ManagerEvent(String manager) {
    this.manager = manager;
  }
}
