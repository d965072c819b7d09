package io.cistern.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.lwjgl.opencl.CL10.CL_COMPLETE;
import static org.lwjgl.opencl.CL10.CL_EVENT_REFERENCE_COUNT;
import static org.lwjgl.opencl.CL10.clGetEventInfo;
import static org.lwjgl.opencl.CL10.clReleaseEvent;
import static org.lwjgl.opencl.CL11.clCreateUserEvent;
import static org.lwjgl.opencl.CL11.clSetUserEventStatus;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "io.cistern.opencl.OpenClDriver#isThere",
    disabledReason = "no OpenCL device: install a driver such as PoCL")
class OpenClFenceTest {

  private OpenClStorage storage;
  private long event;

  @BeforeEach
  void open() {
    storage = OpenClDriver.open("buffer");
    event = clCreateUserEvent(storage.context(), new int[1]);
  }

  @AfterEach
  void close() {
    clReleaseEvent(event);
    storage.close();
  }

  private int references() {
    int[] count = new int[1];
    clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, count, null);
    return count[0];
  }

  @Test
  void anEventIsHeldUntilItIsSeenToHavePassed() {
    OpenClFence fence = OpenClFence.of(event);
    assertThat(fence.hasPassed()).isFalse();
    assertThat(references()).isEqualTo(2);
    clSetUserEventStatus(event, CL_COMPLETE);
    assertThat(fence.hasPassed()).isTrue();
    assertThat(references()).isOne();
    assertThat(fence.hasPassed()).isTrue();
    assertThat(references()).isOne();
  }

  @Test
  void aCommandThatFailedHasEnded() {
    OpenClFence fence = OpenClFence.of(event);
    clSetUserEventStatus(event, -5);
    assertThat(fence.hasPassed()).isTrue();
  }

  @Test
  void aWaitEndsWithTheEventOrItsTime() throws InterruptedException {
    OpenClFence fence = OpenClFence.of(event);
    assertThat(fence.await(Duration.ofMillis(5))).isFalse();
    assertThat(fence.await(Duration.ZERO)).isFalse();
    Thread.ofVirtual().start(() -> clSetUserEventStatus(event, CL_COMPLETE));
    assertThat(fence.await(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
    assertThat(fence.await(Duration.ZERO)).isTrue();
  }

  @Test
  void aWaitCanBeInterrupted() {
    OpenClFence fence = OpenClFence.of(event);
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(() -> fence.await(Duration.ofSeconds(60)));
    assertThat(fence.hasPassed()).isFalse();
  }

  @Test
  void aQueueIsFlushedSoThatItsEndIsReached() throws InterruptedException {
    try (OpenClQueue queue = OpenClQueue.open(storage)) {
      assertThat(queue.fence().await(Duration.ofSeconds(60))).isTrue();
    }
  }
}
