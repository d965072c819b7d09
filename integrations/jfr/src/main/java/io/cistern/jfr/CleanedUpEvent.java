package io.cistern.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.CleanedUp")
@Label("Cleaned Up")
@Description("An explicit cleanup ended")
final class CleanedUpEvent extends ManagerEvent {

  @Label("Given Back")
  @Description("Memory that went back to the driver")
  @DataAmount
  final long givenBack;

  CleanedUpEvent(String manager, long givenBack) {
    super(manager);
    this.givenBack = givenBack;
  }
}
