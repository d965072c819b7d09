package io.cistern.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

@Name("io.cistern.PageMade")
@Label("Page Made")
@Description("A pool got a page or a block from the driver")
final class PageMadeEvent extends PageEvent {

  PageMadeEvent(String manager, int pool, long pageSize) {
    super(manager, pool, pageSize);
  }
}
