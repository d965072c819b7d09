package io.cistern.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.Spilled")
@Label("Request Spilled")
@Description("A full capped pool passed a request on to a later one")
final class SpilledEvent extends RequestEvent {

  @Label("First")
  @Description("Whether it is the first spill of this pool since the layout was installed")
  final boolean first;

  SpilledEvent(String manager, int pool, long requestSize, boolean first) {
    super(manager, pool, requestSize);
    this.first = first;
  }
}
