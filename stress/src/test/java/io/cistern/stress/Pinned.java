package io.cistern.stress;

import io.cistern.manager.CapturePin;
import java.util.List;

/** A capture's pin, and what is written in the slices that it keeps, as far as that is known. */
record Pinned(Target target, CapturePin pin, List<Written> written) {

  void close() {
    written.forEach(Written::verify);
    pin.close();
    pin.close();
  }
}
