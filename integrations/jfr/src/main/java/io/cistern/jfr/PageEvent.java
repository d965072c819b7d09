package io.cistern.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;

/** Something that happened to a page or a block of a pool. */
abstract class PageEvent extends ManagerEvent {

  @Label("Pool")
  @Description("Index of the pool in routing order")
  final int pool;

  @Label("Page Size")
  @DataAmount
  final long pageSize;

  PageEvent(String manager, int pool, long pageSize) {
    super(manager);
    this.pool = pool;
    this.pageSize = pageSize;
  }
}
