package io.cistern.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cistern.DeviceMemoryException.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vulkan's results have their names, numbers and meaning to a pool. */
class ResultsTest {

  @ParameterizedTest
  @CsvSource({
    "-1, VK_ERROR_OUT_OF_HOST_MEMORY, OUT_OF_MEMORY",
    "-2, VK_ERROR_OUT_OF_DEVICE_MEMORY, OUT_OF_MEMORY",
    "-3, VK_ERROR_INITIALIZATION_FAILED, DRIVER_FAILED",
    "-4, VK_ERROR_DEVICE_LOST, DEVICE_LOST",
    "-5, VK_ERROR_MEMORY_MAP_FAILED, DRIVER_FAILED",
    "-9, VK_ERROR_INCOMPATIBLE_DRIVER, DRIVER_FAILED",
    "-10, VK_ERROR_TOO_MANY_OBJECTS, TOO_MANY_BLOCKS",
    "-1000069000, VK_ERROR_OUT_OF_POOL_MEMORY, DRIVER_FAILED",
    "-1000161000, VK_ERROR_FRAGMENTATION, DRIVER_FAILED",
    "-424242, an unknown result, DRIVER_FAILED"
  })
  void resultsAreNamedAndNumbered(int result, String name, Reason reason) {
    assertThat(VulkanResults.toText(result)).isEqualTo(name + " (" + result + ")");
    assertThat(VulkanResults.reason(result)).isEqualTo(reason);
  }
}
