package io.cistern.conformance.scenarios;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cistern.MemorySize;
import io.cistern.layout.ResolvedPool;
import io.cistern.manager.MemoryReport;
import java.util.ArrayList;
import java.util.List;

/** The measured plan for a scenario's load, as the contract's cycle makes it. */
final class PlanAdvice {

  /** A cap of any size switches near-page acceptance off, so that routing is that of the plan. */
  private static final long OUT_OF_REACH = 1L << 62;

  private PlanAdvice() {}

  /** Runs the load with each sliced pool capped out of reach; the caps that it needs, in words. */
  static String of(Scenario scenario) {
    ObjectNode layout = scenario.layout().deepCopy();
    for (JsonNode pool : layout.get("pools")) {
      if (pool.get("type").asText().equals("sliced")) {
        ((ObjectNode) pool).put("max_pool_size", OUT_OF_REACH);
      }
    }
    try (ScenarioMachine machine = new ScenarioMachine(layout, Options.PLAIN)) {
      machine.run(scenario.ops());
      return inWords(machine.site().streams().reports().getFirst().pools());
    }
  }

  private static String inWords(List<MemoryReport.PoolReport> pools) {
    List<String> caps = new ArrayList<>();
    for (MemoryReport.PoolReport pool : pools) {
      if (pool.config() instanceof ResolvedPool.Sliced sliced) {
        long pages = Math.max(1, pool.pagesPeak());
        caps.add("max_pool_size " + inWords(MemorySize.of(pages * sliced.pageByteSize())));
      }
    }
    return String.join(", ", caps) + " for this load";
  }

  /** With a blank before the unit, as the scenarios write sizes. */
  private static String inWords(MemorySize size) {
    return size.toString().replaceFirst("(?=\\p{Alpha})", " ");
  }
}
