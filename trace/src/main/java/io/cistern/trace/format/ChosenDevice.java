package io.cistern.trace.format;

import io.cistern.trace.TraceException;
import io.cistern.trace.TraceFacts;
import java.util.List;
import java.util.stream.Collectors;

/** Which device's memory is read. */
final class ChosenDevice {

  private ChosenDevice() {}

  /**
   * The device that was asked for.
   *
   * @param all those that the recording tells of
   * @param otherwise the one to take if none was asked for
   * @throws TraceException if there is no such device
   */
  static TraceFacts.Device of(
      TraceInput input, List<TraceFacts.Device> all, TraceFacts.Device otherwise)
      throws TraceException {
    if (input.device().isEmpty()) {
      return otherwise;
    }
    String name = input.device().get();
    for (TraceFacts.Device device : all) {
      if (device.name().equals(name)) {
        return device;
      }
    }
    throw input
        .faults()
        .error(
            1,
            "the trace has no device \""
                + name
                + "\"; it has "
                + all.stream().map(TraceFacts.Device::name).collect(Collectors.joining(", ")));
  }
}
