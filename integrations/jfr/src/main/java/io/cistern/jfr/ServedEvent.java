package io.cistern.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.Served")
@Label("Request Served")
@Description("A request was served")
final class ServedEvent extends RequestEvent {

  ServedEvent(String manager, int pool, long requestSize) {
    super(manager, pool, requestSize);
  }
}
