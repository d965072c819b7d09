package io.cistern.conformance;

import java.math.BigInteger;

/** A number of the data is above 2^63-1, which no size of Cistern is: it stands for "refused". */
public final class AboveRange extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AboveRange(BigInteger number) {
    super(number + " is above 2^63-1");
  }
}
