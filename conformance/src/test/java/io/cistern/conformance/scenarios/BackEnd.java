package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import io.cistern.MemorySize;
import io.cistern.conformance.Json;
import io.cistern.storage.CountingStorage;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.FailingStorage;
import io.cistern.storage.Feature;
import io.cistern.storage.StorageCall;
import io.cistern.testkit.BytesStorage;
import java.util.Set;

/** The storage behind a scenario: real bytes, the alignments and capacity given, counted. */
final class BackEnd implements AutoCloseable {

  /** Where nothing is said: more than any scenario needs. */
  private static final long CAPACITY = 1L << 32;

  private static final long PAGE_ALIGNMENT = 256;

  private final CountingStorage counted;
  private final FailingStorage storage;

  private BackEnd(DeviceProperties device) {
    this.counted =
        new CountingStorage(
            BytesStorage.of(device.byteAlignment(), device.blockAlignment(), device.total()));
    this.storage = new FailingStorage(counted);
  }

  static BackEnd open(JsonNode backend) {
    return new BackEnd(device(backend));
  }

  /** The device that a back end describes. */
  static DeviceProperties device(JsonNode backend) {
    long alignment = Json.number(backend.get("alignment"));
    long pageAlignment =
        backend.has("page_alignment")
            ? Json.number(backend.get("page_alignment"))
            : Math.max(alignment, PAGE_ALIGNMENT);
    long capacity = backend.path("device_capacity").asLong(CAPACITY);
    return new DeviceProperties(
        "test storage",
        MemorySize.of(capacity),
        MemorySize.of(capacity / 4),
        alignment,
        pageAlignment,
        Set.of(Feature.HOST_ACCESS, Feature.COPY, Feature.ADDRESS));
  }

  /** Refuses each request for a block from here on. */
  void refuse() {
    storage.refuse(call -> call.kind() == StorageCall.Kind.ALLOCATE);
  }

  /** Works again. */
  void recover() {
    storage.recover();
  }

  FailingStorage storage() {
    return storage;
  }

  CountingStorage counted() {
    return counted;
  }

  @Override
  public void close() {
    storage.close();
  }
}
