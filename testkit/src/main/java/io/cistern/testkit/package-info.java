/**
 * For tests of a device: {@link io.cistern.testkit.StorageContract}, which every storage passes,
 * and {@link io.cistern.testkit.BytesStorage}, a device of any alignment and capacity with real
 * bytes.
 */
@NullMarked
package io.cistern.testkit;

import org.jspecify.annotations.NullMarked;
