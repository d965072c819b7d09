package io.cistern.gpu.check;

import com.fasterxml.jackson.core.JsonGenerator;
import io.cistern.MemorySize;
import io.cistern.cuda.CudaStorageProvider;
import io.cistern.hip.HipStorageProvider;
import io.cistern.storage.DeviceList;
import io.cistern.storage.StorageProvider;
import io.cistern.trace.report.ReportJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks a device and prints what it found as JSON. */
public final class GpuCheck {

  private static final List<MemorySize> SIZES =
      List.of(MemorySize.ofKiB(4), MemorySize.ofMiB(1), MemorySize.ofMiB(64));

  private final PrintStream progress;
  private final boolean timesDecide;
  private final long begin = System.nanoTime();

  private GpuCheck(PrintStream progress, boolean timesDecide) {
    this.progress = progress;
    this.timesDecide = timesDecide;
  }

  /**
   * Checks; exits with 1 if anything is wrong.
   *
   * @param arguments {@code cuda} or {@code hip}, the index of the device, the folder of traces
   */
  public static void main(String[] arguments) throws IOException {
    boolean good =
        check(
            arguments[0],
            Integer.parseInt(arguments[1]),
            Path.of(arguments[2]),
            System.out,
            System.err,
            true);
    System.exit(good ? 0 : 1);
  }

  /**
   * Checks.
   *
   * @param out where the findings go
   * @param progress where the progress goes
   * @param timesDecide whether a pool that is not fast enough is wrong, or only told
   * @return whether all is well
   */
  static boolean check(
      String kind,
      int index,
      Path traces,
      PrintStream out,
      PrintStream progress,
      boolean timesDecide)
      throws IOException {
    StorageProvider provider =
        kind.equals("hip") ? new HipStorageProvider() : new CudaStorageProvider();
    return new GpuCheck(progress, timesDecide).run(provider, index, traces, out);
  }

  private void say(String what) {
    progress.printf("gpu-check %5.1f s  %s%n", seconds(), what);
  }

  private double seconds() {
    return (System.nanoTime() - begin) / 1e9;
  }

  private boolean run(StorageProvider provider, int index, Path traces, PrintStream out)
      throws IOException {
    DeviceList found = provider.devices();
    if (index >= found.devices().size()) {
      String why =
          found.devices().isEmpty()
              ? found.whyNone()
              : "found of this kind: " + found.devices().size();
      out.print(
          ReportJson.document(
              json -> {
                json.writeStartObject();
                json.writeBooleanField("good", false);
                json.writeStringField("why", why);
                json.writeEndObject();
              }));
      return false;
    }
    Subject subject = new Subject(provider, index, found.devices().get(index));
    Findings findings = check(subject, traces);
    out.print(ReportJson.document(json -> write(json, subject, findings)));
    return findings.isGood(timesDecide);
  }

  /** What was found; {@code errors} are those that ended a check early. */
  private record Findings(
      List<ContractCheck.Result> contracts,
      List<ReplayCheck.Result> replays,
      List<Benchmark.Result> benchmarks,
      List<String> errors) {

    boolean isGood(boolean timesDecide) {
      return contracts.stream().allMatch(result -> result.failures().isEmpty())
          && !replays.isEmpty()
          && replays.stream().allMatch(ReplayCheck.Result::isGood)
          && (!timesDecide || benchmarks.stream().allMatch(Benchmark.Result::isGood))
          && errors.isEmpty();
    }
  }

  private interface Check {
    void run() throws Exception;
  }

  private Findings check(Subject subject, Path traces) throws IOException {
    Findings findings =
        new Findings(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    List<String> errors = findings.errors();
    for (String memory : subject.memories()) {
      attempt(
          "contract on memory " + memory,
          errors,
          () -> findings.contracts().add(ContractCheck.run(subject, memory)));
    }
    for (Path trace : files(traces)) {
      attempt(
          "replay of " + trace.getFileName(),
          errors,
          () -> findings.replays().add(ReplayCheck.run(subject, trace)));
    }
    for (String memory : subject.memories()) {
      for (MemorySize size : SIZES) {
        attempt(
            "benchmark of memory " + memory + " at " + size,
            errors,
            () -> findings.benchmarks().add(Benchmark.run(subject, memory, size)));
      }
    }
    attempt("graph", errors, () -> GraphCheck.run(subject));
    return findings;
  }

  /** A check that ends early is told, and the others go on. */
  private void attempt(String what, List<String> errors, Check check) {
    say(what);
    try {
      check.run();
    } catch (Exception | AssertionError e) {
      errors.add(what + ": " + e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".csv.gz")).sorted().toList();
    }
  }

  private void write(JsonGenerator json, Subject subject, Findings findings) throws IOException {
    json.writeStartObject();
    json.writeBooleanField("good", findings.isGood(timesDecide));
    json.writeNumberField("seconds", Math.round(seconds() * 10) / 10.0);
    json.writeStringField("device", subject.info().properties().name());
    json.writeStringField("driver", subject.info().driver());
    json.writeNumberField("memory", subject.info().properties().total().bytes());
    json.writeArrayFieldStart("contract");
    for (ContractCheck.Result result : findings.contracts()) {
      json.writeStartObject();
      json.writeStringField("memory", result.memory());
      json.writeNumberField("passed", result.passed());
      writeTexts(json, "failures", result.failures());
      json.writeEndObject();
    }
    json.writeEndArray();
    writeReplays(json, findings.replays());
    writeBenchmarks(json, findings.benchmarks());
    writeTexts(json, "errors", findings.errors());
    json.writeEndObject();
  }

  private static void writeTexts(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private static void writeReplays(JsonGenerator json, List<ReplayCheck.Result> results)
      throws IOException {
    json.writeArrayFieldStart("replay");
    for (ReplayCheck.Result result : results) {
      json.writeStartObject();
      json.writeStringField("trace", result.trace());
      json.writeNumberField("mismatches", result.mismatches());
      json.writeNumberField("refused", result.refused());
      json.writeNumberField("leaked", result.leaked());
      json.writeNumberField("driverCallsWithoutPools", result.requests());
      json.writeNumberField("driverCallsWithPools", result.driverCalls());
      json.writeNumberField("nanos", result.nanos());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeBenchmarks(JsonGenerator json, List<Benchmark.Result> results)
      throws IOException {
    json.writeArrayFieldStart("benchmark");
    for (Benchmark.Result result : results) {
      json.writeStartObject();
      json.writeStringField("memory", result.memory());
      json.writeNumberField("bytes", result.byteSize());
      json.writeNumberField("driverNanos", Math.round(result.driverNanos()));
      json.writeNumberField("poolNanos", Math.round(10 * result.poolNanos()) / 10.0);
      json.writeNumberField("ratio", Math.round(result.ratio()));
      json.writeBooleanField("good", result.isGood());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
