package io.cistern.host;

import java.util.OptionalLong;

/**
 * Refuses memory that the machine has not got, before it is made real: Linux would not refuse, but
 * end a process to find some.
 */
final class EnoughMemory implements PageAdvice {

  private final LinuxFiles files;

  EnoughMemory(LinuxFiles files) {
    this.files = files;
  }

  @Override
  public void apply(long address, long byteSize) throws OsRefusal {
    OptionalLong available = files.availableByteSize();
    if (available.isPresent() && byteSize > available.getAsLong()) {
      throw new OsRefusal(
          byteSize
              + " bytes of real memory are wanted, the system has "
              + available.getAsLong()
              + " bytes available");
    }
  }
}
