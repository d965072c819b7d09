package io.cistern.benchmarks.suite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/** Brings the {@link Figures} to JMH. Public for JMH, which makes it in the JVM that measures. */
public final class FiguresProfiler implements InternalProfiler {

  @Override
  public String getDescription() {
    return "What benchmarks note";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    Figures.PER_CALL.forEach(Figures::clear);
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double calls = result.getMetadata().getAllOps();
    List<ScalarResult> results = new ArrayList<>();
    Figures.noted()
        .forEach(
            (name, value) ->
                results.add(
                    Figures.PER_CALL.contains(name)
                        ? new ScalarResult(name, value / calls, "", AggregationPolicy.AVG)
                        : new ScalarResult(name, value, "", AggregationPolicy.MAX)));
    return results;
  }
}
