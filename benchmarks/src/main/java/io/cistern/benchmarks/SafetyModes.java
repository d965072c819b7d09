package io.cistern.benchmarks;

import io.cistern.MemorySize;
import io.cistern.config.MemoryPoolConfig;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.config.SafetyOptions;
import io.cistern.manager.Allocation;
import io.cistern.manager.MemoryManager;
import io.cistern.manager.MemoryManagerBuilder;
import io.cistern.storage.Storage;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What an allocation that is used and closed costs with each kind of safety switched on. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SafetyModes {

  @Param({
    "off",
    "leaks",
    "leaks=1",
    "check",
    "poison",
    "redzones",
    "quarantine",
    "zero-on-allocate",
    "zero-on-free",
    "check,poison,redzones,quarantine,leaks=1"
  })
  public String safety = "off";

  @Param({"shared", "confined"})
  public String manager = "shared";

  @Param({"256", "65536"})
  public long byteSize = 256;

  private final Storage host = Devices.open("host");
  private MemoryManager memory = MemoryManager.open(host, MemoryPoolsConfig.subSlices());

  @Setup
  public void open() {
    memory.close();
    MemoryManagerBuilder builder =
        MemoryManager.builder(host)
            .pools(MemoryPoolsConfig.of(MemoryPoolConfig.sliced(MemorySize.ofMiB(64))))
            .safety(SafetyOptions.parse(safety));
    memory = manager.equals("confined") ? builder.confined().open() : builder.open();
  }

  @Benchmark
  public long use() {
    try (Allocation allocation = memory.allocate(byteSize)) {
      allocation.segment().set(ValueLayout.JAVA_LONG, 0, byteSize);
      return allocation.byteOffset();
    }
  }

  @TearDown
  public void close() {
    memory.close();
    host.close();
  }
}
