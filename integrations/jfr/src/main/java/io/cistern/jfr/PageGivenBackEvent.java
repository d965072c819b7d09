package io.cistern.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.PageGivenBack")
@Label("Page Given Back")
@Description("A pool gave a page or a block back to the driver")
final class PageGivenBackEvent extends PageEvent {

  PageGivenBackEvent(String manager, int pool, long pageSize) {
    super(manager, pool, pageSize);
  }
}
