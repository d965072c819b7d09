package io.cistern.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.Released")
@Label("Allocation Released")
@Description("The last handle of an allocation was closed")
final class ReleasedEvent extends RequestEvent {

  ReleasedEvent(String manager, int pool, long requestSize) {
    super(manager, pool, requestSize);
  }
}
