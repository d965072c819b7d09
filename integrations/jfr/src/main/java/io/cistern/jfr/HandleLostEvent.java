package io.cistern.jfr;

import io.cistern.LeakSite;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.HandleLost")
@Label("Handle Lost")
@Description("A watched handle became unreachable without being closed")
final class HandleLostEvent extends ManagerEvent {

  @Label("Request Size")
  @DataAmount
  final long requestSize;

  @Label("Calls")
  @Description("The calls that made the handle, innermost first")
  final String calls;

  HandleLostEvent(String manager, LeakSite site) {
    super(manager);
    this.requestSize = site.byteSize();
    this.calls = String.join("\n", site.calls());
  }
}
