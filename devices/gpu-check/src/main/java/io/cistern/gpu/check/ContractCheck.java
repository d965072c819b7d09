package io.cistern.gpu.check;

import io.cistern.storage.Storage;
import io.cistern.testkit.StorageContract;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the contract of all storages on each kind of memory. */
final class ContractCheck {

  // JUnit makes the contract's subject, so what it opens is told here.
  private static @Nullable Subject subject;
  private static String memory = "";

  private ContractCheck() {}

  /** The contract on what this is told. */
  static final class OnDevice extends StorageContract {
    @Override
    protected Storage open() {
      if (subject == null) {
        throw new IllegalStateException("no device is told");
      }
      return subject.open(memory);
    }
  }

  /**
   * What the contract found.
   *
   * @param memory the kind of memory
   * @param passed tests that passed
   * @param failures tests that did not, and why
   */
  record Result(String memory, long passed, List<String> failures) {}

  /** Runs it on a kind of memory. */
  static Result run(Subject device, String kind) {
    subject = device;
    memory = kind;
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(OnDevice.class))
            .build(),
        listener);
    TestExecutionSummary summary = listener.getSummary();
    List<String> failures = new ArrayList<>();
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      failures.add(failure.getTestIdentifier().getDisplayName() + ": " + failure.getException());
    }
    if (summary.getTestsFoundCount() == 0) {
      failures.add("no test was found");
    }
    return new Result(kind, summary.getTestsSucceededCount(), failures);
  }
}
