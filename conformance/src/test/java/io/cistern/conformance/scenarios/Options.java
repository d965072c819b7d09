package io.cistern.conformance.scenarios;

/**
 * How the managers of a scenario are opened, beside its layout.
 *
 * @param tracksPlaces whether they note where allocations are asked for
 * @param waits whether they wait for work that keeps memory out of reach
 */
record Options(boolean tracksPlaces, boolean waits) {

  static final Options PLAIN = new Options(false, true);

  Options withoutWaits() {
    return new Options(tracksPlaces, false);
  }
}
