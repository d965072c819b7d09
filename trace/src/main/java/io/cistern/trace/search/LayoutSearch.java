package io.cistern.trace.search;

import io.cistern.layout.PoolLayout;
import io.cistern.storage.DeviceProperties;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.replay.DecodedTrace;
import io.cistern.trace.report.SearchReport;
import io.cistern.trace.report.SearchReport.Scored;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * Searches the layout that costs least on one or several traces, by replaying them on a simulated
 * device.
 *
 * <pre>{@code
 * Optional<SearchReport> report = LayoutSearch.of(traces).seed(7).mostCalls(500).build().run();
 * }</pre>
 *
 * <p>The same traces, options, seed and number of evaluations give the same layouts on any machine;
 * only times differ. A time limit or an interruption makes the number of evaluations differ, which
 * the report tells.
 *
 * <p>A search runs once, on one thread and its workers; {@link #interrupt} may come from any.
 */
public final class LayoutSearch {

  /** The seed without another. */
  public static final long DEFAULT_SEED = 1;

  /** The layouts that are tried without another number. */
  public static final int DEFAULT_EVALUATIONS = 3000;

  /** The driver calls a trace that the best may take without another number. */
  public static final long DEFAULT_MOST_CALLS = 500;

  /** The time limit without another, which searches of usual traces do not reach. */
  public static final Duration DEFAULT_BUDGET = Duration.ofSeconds(30);

  /** Not a number of cores, so that a search is the same on any. */
  private static final int ROUND = 32;

  /** In vain many times in a row: there are no other layouts around. */
  private static final int MOST_REPEATS = 1000;

  private static final int MOST_SHOWN = 12;

  private final Builder options;
  private final DeviceProperties device;
  private final List<TraceShape> shapes;
  private final Evaluator evaluator;
  private final ParetoFront front = new ParetoFront();
  private final Map<String, Trial> bestOfFamilies = new LinkedHashMap<>();
  private final Set<PoolLayout> tried = new HashSet<>();
  private final long deadline;
  private int evaluations;
  private volatile boolean interrupted;

  private LayoutSearch(Builder builder) {
    this.options = builder;
    // Long enough for any search, and in the range of the clock.
    long nanos = Math.min(builder.budget.toNanos(), Long.MAX_VALUE / 4);
    this.deadline = System.nanoTime() + nanos;
    try (SimulatedStorage storage = SimulatedStorage.open(builder.device)) {
      this.device = storage.properties();
    }
    this.shapes = shapes(builder.traces);
    this.evaluator = new Evaluator(shapes, builder.device);
  }

  private List<TraceShape> shapes(List<DecodedTrace> traces) {
    return traces.stream().map(trace -> TraceShape.of(trace, device.byteAlignment())).toList();
  }

  /**
   * Begins to describe a search.
   *
   * @param traces what the layout is for; one or more
   */
  public static Builder of(List<DecodedTrace> traces) {
    return new Builder(traces);
  }

  /**
   * Searches.
   *
   * @return what was found; empty if it was interrupted before anything was, or if no layout serves
   *     every request on the device
   */
  public Optional<SearchReport> run() throws IOException {
    List<Trial> presets;
    try (Workers workers = new Workers(options.threads)) {
      List<Candidate> first = fresh(StartingLayouts.presets(device));
      presets = tryAll(workers, first.subList(0, Math.min(first.size(), left())));
      List<Candidate> starting = fresh(StartingLayouts.of(shapes, device));
      for (int from = 0; from < starting.size() && goesOn(); from += ROUND) {
        int to = Math.min(starting.size(), from + Math.min(ROUND, left()));
        tryAll(workers, starting.subList(from, to));
      }
      improve(workers);
    }
    return front.best(options.mostCalls).map(best -> report(presets, best));
  }

  private void improve(Workers workers) throws IOException {
    SplittableRandom random = new SplittableRandom(options.seed);
    LayoutMutator mutator = new LayoutMutator(shapes, device, random);
    while (goesOn() && front.best(options.mostCalls).isPresent()) {
      List<Candidate> round = new ArrayList<>();
      int repeats = 0;
      while (round.size() < Math.min(ROUND, left()) && repeats < MOST_REPEATS) {
        Candidate candidate = mutator.neighbour(parent(random));
        if (tried.add(candidate.layout())) {
          round.add(candidate);
        } else {
          repeats++;
        }
      }
      if (round.isEmpty()) {
        return;
      }
      tryAll(workers, round);
    }
  }

  /** The best, or some other of the front, or the best of what began in some other way. */
  private Trial parent(SplittableRandom random) {
    int draw = random.nextInt(10);
    List<Trial> others = draw < 8 ? front.trials() : List.copyOf(bestOfFamilies.values());
    return draw < 5
        ? front.best(options.mostCalls).orElseThrow()
        : others.get(random.nextInt(others.size()));
  }

  private boolean goesOn() {
    return !interrupted && left() > 0 && System.nanoTime() < deadline;
  }

  private int left() {
    return options.evaluations - evaluations;
  }

  private List<Candidate> fresh(List<Candidate> candidates) {
    return candidates.stream().filter(candidate -> tried.add(candidate.layout())).toList();
  }

  /** Tries layouts side by side and takes them in one after the other, in their order. */
  private List<Trial> tryAll(Workers workers, List<Candidate> candidates) throws IOException {
    List<Callable<Optional<Trial>>> work = new ArrayList<>();
    for (Candidate candidate : candidates) {
      work.add(() -> interrupted ? Optional.empty() : Optional.of(evaluator.evaluate(candidate)));
    }
    List<Trial> good = new ArrayList<>();
    for (Optional<Trial> trial : workers.run(work, this::interrupt)) {
      if (trial.isPresent()) {
        evaluations++;
        if (trial.get().scored().isGood()) {
          good.add(trial.get());
          keep(trial.get());
        }
      }
    }
    options.progress.at(evaluations, options.evaluations);
    return good;
  }

  private void keep(Trial trial) {
    front.add(trial);
    bestOfFamilies.merge(trial.candidate().family(), trial, this::better);
  }

  private Trial better(Trial one, Trial other) {
    boolean oneWithin = one.calls() <= options.mostCalls;
    boolean otherWithin = other.calls() <= options.mostCalls;
    if (oneWithin != otherWithin) {
      return oneWithin ? one : other;
    }
    return (oneWithin ? Trial.BY_RATIO : Trial.BY_CALLS).compare(one, other) <= 0 ? one : other;
  }

  private SearchReport report(List<Trial> presets, Trial best) {
    SearchReport.End end = SearchReport.End.EVALUATIONS;
    if (interrupted) {
      end = SearchReport.End.INTERRUPTED;
    } else if (left() > 0 && System.nanoTime() >= deadline) {
      end = SearchReport.End.TIME;
    }
    List<Trial> shown = front.some(MOST_SHOWN, best);
    List<Scored> timed = shown.stream().map(this::timed).toList();
    return new SearchReport(
        options.seed,
        evaluations,
        end,
        device.byteAlignment(),
        options.mostCalls,
        presets.stream().map(this::timed).toList(),
        timed,
        timed.get(shown.indexOf(best)),
        validation(best));
  }

  private Scored timed(Trial trial) {
    return interrupted ? trial.scored() : evaluator.timed(trial.scored());
  }

  private Optional<Scored> validation(Trial best) {
    if (options.validation.isEmpty()) {
      return Optional.empty();
    }
    Evaluator unseen = new Evaluator(shapes(options.validation), options.device);
    return Optional.of(unseen.evaluate(best.candidate()).scored());
  }

  /** Ends the search soon; {@link #run} then returns what there is, marked. */
  public void interrupt() {
    interrupted = true;
  }

  /** Is told how far a search is, by one thread at a time. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Hears where the search is.
     *
     * @param evaluations the layouts that were tried
     * @param ofEvaluations how many it tries at most
     */
    void at(int evaluations, int ofEvaluations);
  }

  /** What is searched, and how. Not safe for many threads. */
  public static final class Builder {

    private final List<DecodedTrace> traces;
    private List<DecodedTrace> validation = List.of();
    private StorageOptions device = StorageOptions.DEFAULT;
    private long seed = DEFAULT_SEED;
    private int evaluations = DEFAULT_EVALUATIONS;
    private long mostCalls = DEFAULT_MOST_CALLS;
    private Duration budget = DEFAULT_BUDGET;
    private int threads = Runtime.getRuntime().availableProcessors();
    private Progress progress = (_, _) -> {};

    private Builder(List<DecodedTrace> traces) {
      if (traces.isEmpty()) {
        throw new IllegalArgumentException("a search needs a trace");
      }
      this.traces = List.copyOf(traces);
    }

    /** Traces that are kept out of the search, and on which its result is tried. */
    public Builder validation(List<DecodedTrace> unseen) {
      this.validation = List.copyOf(unseen);
      return this;
    }

    /** How the simulated device is opened; without this, as it is. */
    public Builder device(StorageOptions how) {
      this.device = how;
      return this;
    }

    /** What the random choices come from. */
    public Builder seed(long number) {
      this.seed = number;
      return this;
    }

    /**
     * How many layouts are tried.
     *
     * @param most at most so many, 1 or more
     */
    public Builder evaluations(int most) {
      if (most < 1) {
        throw new IllegalArgumentException("a search tries at least 1 layout, not " + most);
      }
      this.evaluations = most;
      return this;
    }

    /**
     * How many driver calls the best may take on each trace.
     *
     * @param most at most so many, 0 or more
     */
    public Builder mostCalls(long most) {
      if (most < 0) {
        throw new IllegalArgumentException("a number of driver calls is 0 or more, not " + most);
      }
      this.mostCalls = most;
      return this;
    }

    /**
     * The time limit, looked at between rounds of 32 layouts.
     *
     * @param most more than 0
     */
    public Builder budget(Duration most) {
      if (most.isNegative() || most.isZero()) {
        throw new IllegalArgumentException("a search takes some time, not " + most);
      }
      this.budget = most;
      return this;
    }

    /**
     * How many threads replay; without this, one for each core. It does not change the result.
     *
     * @param count 1 or more
     */
    public Builder threads(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("a search takes at least 1 thread, not " + count);
      }
      this.threads = count;
      return this;
    }

    /** Who is told how far the search is. */
    public Builder progress(Progress who) {
      this.progress = who;
      return this;
    }

    /** The search, ready to run; its time begins. */
    public LayoutSearch build() {
      return new LayoutSearch(this);
    }
  }
}
