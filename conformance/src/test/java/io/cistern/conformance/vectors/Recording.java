package io.cistern.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.conformance.Json;
import io.cistern.conformance.Ledger;
import io.cistern.layout.ResolvedPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a recording says up to a step, pool by pool: what each pool held, which driver calls were
 * made for it, which handles were live, and which full pools passed requests on.
 *
 * <p>The recording has the driver's calls of a step and totals. A block belongs to the pool that
 * served the request it was made for, so both can be told apart by pool. Blocks of 0 bytes do not
 * count: in Cistern a zero-sized request reserves nothing.
 */
final class Recording {

  private record Block(int pool, long bytes) {}

  private record Live(int pool, long bytes, long padding, int buffer) {}

  private static final int NO_BUFFER = -1;

  private List<ResolvedPool> pools;
  private final Map<Integer, PoolTally> tallies = new HashMap<>();
  private final Map<Integer, Block> blocks = new HashMap<>();
  private final Map<String, Live> live = new LinkedHashMap<>();

  // Free blocks of direct pools, longest free first.
  private final Map<Integer, Long> idle = new LinkedHashMap<>();
  private boolean reuseAmbiguous;
  private boolean ownWayTaken;

  private final Set<Integer> spilled = new HashSet<>();
  private int spilledBefore;
  private JsonNode state = Json.object();

  Recording(List<ResolvedPool> pools) {
    this.pools = pools;
  }

  /**
   * Reads on.
   *
   * @param recorded the step as the reference did it
   * @param expected the step as Cistern is to do it; the same unless a rule or exception says so
   * @param poolsNow the pools in force in Cistern after the step
   */
  void read(ObjectNode recorded, ObjectNode expected, List<ResolvedPool> poolsNow) {
    String op = recorded.get("op").asText();
    JsonNode before = state;
    state = recorded.path("state");
    boolean ok = recorded.get("result").asText().equals("ok");
    boolean failed = recorded.path("driver").valueStream().anyMatch(Recording::isFailure);
    ownWayTaken |= failed;
    switch (op) {
      case "reserve" -> readReserve(recorded, expected, ok);
      case "reserve_many" -> readMany(recorded, before);
      case "churn" -> readChurn(recorded, before);
      case "free" -> drop(recorded.get("id").asText());
      case "clone", "binding" -> copy(recorded.get("id").asText(), recorded.get("new").asText());
      case "bind" -> copy(recorded.get("reserved").asText(), recorded.get("assigned").asText());
      case "free_many" -> dropMany(recorded);
      case "install" -> readInstall(recorded, ok, expected, poolsNow);
      case "cleanup" -> readFrees(recorded);
      default -> {}
    }
  }

  static boolean isFailure(JsonNode call) {
    return call.get("call").asText().equals("alloc_failed");
  }

  private void readReserve(ObjectNode recorded, ObjectNode expected, boolean ok) {
    long size = Json.isAboveRange(recorded.get("size")) ? -1 : Json.number(recorded.get("size"));
    noteReclaim(recorded);
    readFrees(recorded);
    int pool = Json.has(expected, "pool") ? expected.get("pool").asInt() : firstAccepting(size);
    for (JsonNode call : recorded.path("driver")) {
      long bytes = Json.number(call.get("bytes"));
      if (call.get("call").asText().equals("alloc") && bytes > 0) {
        blocks.put(call.get("buffer").asInt(), new Block(pool, bytes));
        tally(pool).grow(bytes, 1, 1);
      }
    }
    countSpills(recorded, size);
    if (ok) {
      int buffer = recorded.path("buffer").asInt(NO_BUFFER);
      noteReuse(buffer);
      live.put(
          recorded.get("id").asText(),
          new Live(
              recorded.get("pool").asInt(),
              recorded.path("bytes").longValue(),
              recorded.path("padding").longValue(),
              buffer));
    }
  }

  private int firstAccepting(long size) {
    return accepting(size).findFirst().orElse(0);
  }

  private Stream<Integer> accepting(long size) {
    return IntStream.range(0, pools.size())
        .filter(pool -> size >= 0 && pools.get(pool).accepts(size))
        .boxed();
  }

  /** All pools that accept a size, up to the one that served it or the last one tried, spilled. */
  private void countSpills(ObjectNode recorded, long size) {
    List<Integer> tried = new ArrayList<>(accepting(size).toList());
    if (recorded.get("result").asText().equals("ok")) {
      int served = recorded.get("pool").asInt();
      tried.removeIf(pool -> pool >= served);
    } else if (recorded.at("/error/variant").asText().equals("PoolCapacityExceeded")) {
      tried.removeLast();
    } else {
      tried.clear();
    }
    spilled.addAll(tried);
  }

  private void readMany(ObjectNode recorded, JsonNode before) {
    int pool = recorded.at("/last/pool").asInt();
    int done = recorded.get("done").asInt();
    List<Integer> made = grow(pool, recorded, before);
    for (int i = 0; i < done; i++) {
      Live one =
          new Live(
              pool,
              recorded.at("/last/bytes").longValue(),
              recorded.at("/last/padding").longValue(),
              made.size() == done ? made.get(i) : NO_BUFFER);
      live.put(recorded.get("prefix").asText() + i, one);
    }
  }

  private void readChurn(ObjectNode recorded, JsonNode before) {
    int pool = firstAccepting(Json.number(recorded.get("size")));
    for (int buffer : grow(pool, recorded, before)) {
      noteIdle(buffer);
    }
  }

  /**
   * Steps of many requests have no list of calls, only counts. Returns the blocks that were made.
   * Which ones were freed is not recorded; sliced pools of the reference free none by themselves.
   */
  private List<Integer> grow(int pool, ObjectNode recorded, JsonNode before) {
    long made = delta(recorded, before, "driver_allocs");
    ownWayTaken |= delta(recorded, before, "driver_deallocs") > 0;
    long pageBytes =
        pools.get(pool) instanceof ResolvedPool.Sliced sliced
            ? sliced.pageByteSize()
            : delta(recorded, before, "driver_bytes") / Math.max(1, made);
    List<Integer> buffers = new ArrayList<>();
    for (int i = 1; i <= made && pageBytes > 0; i++) {
      int buffer = before.path("driver_allocs").asInt() + i;
      blocks.put(buffer, new Block(pool, pageBytes));
      tally(pool).grow(pageBytes, 1, 1);
      buffers.add(buffer);
    }
    return buffers;
  }

  private static long delta(ObjectNode recorded, JsonNode before, String key) {
    return recorded.at("/state/" + key).longValue() - before.path(key).longValue();
  }

  private void dropMany(ObjectNode recorded) {
    for (int i = 0; i < recorded.get("count").asInt(); i += recorded.get("step").asInt()) {
      drop(recorded.get("prefix").asText() + i);
    }
  }

  private void copy(String id, String name) {
    if (live.containsKey(id)) {
      live.put(name, live.get(id));
    }
  }

  private void drop(String id) {
    Live gone = live.remove(id);
    if (gone != null && live.values().stream().noneMatch(one -> one.buffer == gone.buffer)) {
      noteIdle(gone.buffer);
    }
  }

  private void noteIdle(int buffer) {
    Block block = blocks.get(buffer);
    if (block != null && kind(block.pool) instanceof ResolvedPool.Direct) {
      idle.put(buffer, block.bytes);
    }
  }

  private ResolvedPool kind(int pool) {
    return pool >= 0 && pool < pools.size() ? pools.get(pool) : null;
  }

  private void readFrees(ObjectNode recorded) {
    for (JsonNode call : recorded.path("driver")) {
      if (call.get("call").asText().equals("free")) {
        int buffer = call.get("buffer").asInt();
        Block block = blocks.remove(buffer);
        idle.remove(buffer);
        if (block != null) {
          tally(block.pool).shrink(block.bytes, 1);
        }
      }
    }
  }

  private void readInstall(
      ObjectNode recorded, boolean ok, ObjectNode expected, List<ResolvedPool> poolsNow) {
    if (ok) {
      live.values().removeIf(one -> one.pool >= 0);
    }
    if (expected.get("result").asText().equals("ok")) {
      readFrees(recorded); // those of the persistent pool, which stays, count on
      blocks.values().removeIf(block -> block.pool >= 0);
      tallies.keySet().removeIf(pool -> pool >= 0);
      idle.clear();
      spilledBefore += spilled.size();
      spilled.clear();
      pools = poolsNow;
    } else if (Json.has(state, "driver_deallocs")) {
      // The reference has cleaned up before it refused; Cistern holds what it held.
      ownWayTaken |= !idle.isEmpty();
    }
  }

  /**
   * Direct pools of Cistern reclaim the longest-free first: does the recording show another order?
   */
  private void noteReclaim(ObjectNode recorded) {
    List<Integer> freed =
        recorded
            .path("driver")
            .valueStream()
            .filter(call -> call.get("call").asText().equals("free"))
            .map(call -> call.get("buffer").asInt())
            .filter(idle::containsKey)
            .toList();
    List<Integer> longestFree = idle.keySet().stream().limit(freed.size()).toList();
    boolean sameBlocks = new HashSet<>(freed).equals(new HashSet<>(longestFree));
    ownWayTaken |= !freed.isEmpty() && (reuseAmbiguous || !sameBlocks);
  }

  private void noteReuse(int buffer) {
    Long bytes = idle.remove(buffer);
    reuseAmbiguous |= bytes != null && idle.containsValue(bytes);
  }

  /** What a pool held and had the driver do. */
  PoolTally tally(int pool) {
    return tallies.computeIfAbsent(pool, p -> new PoolTally());
  }

  /** Whether Cistern may have made other driver calls for direct pools than the reference. */
  boolean ownWayTaken() {
    return ownWayTaken;
  }

  /**
   * The pools that passed a request on to a later one, once a pool and layout. The reference also
   * warns of a full pool with nothing behind it, which is no spill.
   */
  int spills() {
    return spilledBefore + spilled.size();
  }

  /** The recorded totals, less what only the reference holds, plus what only Cistern holds. */
  Ledger.Sum expectedTotals(Ledger cistern) {
    Ledger.Sum sum =
        new Ledger.Sum(
            state.path("number_allocs").longValue(),
            state.path("bytes_in_use").longValue(),
            state.path("bytes_padding").longValue());
    for (Map.Entry<String, Live> one : live.entrySet()) {
      if (!cistern.holds(one.getKey())) {
        sum = sum.plus(new Ledger.Sum(-1, -one.getValue().bytes, -one.getValue().padding));
      }
    }
    for (String name : cistern.names()) {
      if (!live.containsKey(name)) {
        Ledger.Held held = cistern.get(name);
        sum = sum.plus(new Ledger.Sum(1, held.size(), held.padding()));
      }
    }
    return sum;
  }
}
