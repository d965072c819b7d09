package io.cistern.model;

import io.cistern.storage.StorageBlock;

/** Something that a manager asked of what stands around it. */
sealed interface Call {

  /** It asked a fence whether it has passed. */
  record Asked(StepFence fence, boolean passed) implements Call {}

  /** It waited for a fence, which passed by that. */
  record Awaited(StepFence fence) implements Call {}

  /** It asked the driver for a block. */
  record Made(long byteSize, boolean granted) implements Call {}

  /** It gave a block back. */
  record Freed(StorageBlock block, boolean taken) implements Call {}
}
