package io.cistern.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;

/** Something that happened to a request at a pool. */
abstract class RequestEvent extends ManagerEvent {

  @Label("Pool")
  @Description("Index of the pool in routing order")
  final int pool;

  @Label("Request Size")
  @DataAmount
  final long requestSize;

  RequestEvent(String manager, int pool, long requestSize) {
    super(manager);
    this.pool = pool;
    this.requestSize = requestSize;
  }
}
