package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Refusal;
import io.cistern.manager.Allocation;
import io.cistern.manager.DeviceMemory;
import io.cistern.manager.MemoryManager;
import io.cistern.storage.StorageBlock;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Freeing what a pool did not make: no method takes it. A handle closes itself and nothing else.
 */
final class Foreign {

  private static final List<Class<?>> MEMORY =
      List.of(Allocation.class, StorageBlock.class, MemorySegment.class, Buffer.class);

  /** Methods of a handle that copy bytes of its own slice, and free nothing. */
  private static final List<String> COPIES = List.of("read", "write");

  private Foreign() {}

  static Result free(String what) {
    List<Method> takers =
        Stream.of(MemoryManager.class, DeviceMemory.class, Allocation.class)
            .flatMap(type -> Arrays.stream(type.getMethods()))
            .filter(method -> method.getDeclaringClass() != Object.class)
            .filter(method -> !COPIES.contains(method.getName()))
            .filter(method -> Arrays.stream(method.getParameterTypes()).anyMatch(Foreign::isMemory))
            .toList();
    ObjectNode facts = Json.object();
    return takers.isEmpty()
        ? new Result(facts, Refusal.noSuchMethod("nothing takes " + what), what)
        : new Result(facts.put("takers", takers.toString()), null, what);
  }

  private static boolean isMemory(Class<?> parameter) {
    return parameter == Object.class
        || MEMORY.stream().anyMatch(memory -> memory.isAssignableFrom(parameter));
  }
}
