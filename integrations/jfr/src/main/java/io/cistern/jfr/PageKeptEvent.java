package io.cistern.jfr;

import io.cistern.DeviceMemoryException;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

@Name("io.cistern.PageKept")
@Label("Page Kept")
@Description("The driver did not take a page back; the pool keeps it and tries again later")
final class PageKeptEvent extends PageEvent {

  @Label("Message")
  @Description("What the driver said")
  final @Nullable String message;

  PageKeptEvent(String manager, int pool, long pageSize, DeviceMemoryException cause) {
    super(manager, pool, pageSize);
    this.message = cause.getMessage();
  }
}
