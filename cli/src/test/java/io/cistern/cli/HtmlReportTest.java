package io.cistern.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.picture.Curves;
import io.cistern.trace.picture.HtmlReport;
import io.cistern.trace.picture.MemoryMap;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlReportTest {

  private static final long BROWSER_SECONDS = 120;

  /** Hears of errors before anything else happens. */
  private static final String LISTENER =
      """
      <script>
      window.problems = [];
      addEventListener('error', event => problems.push(event.message));
      addEventListener('securitypolicyviolation', event => problems.push(event.violatedDirective));
      </script>
      """;

  /** Does what a user would, and leaves what it saw in the page. */
  private static final String USER =
      """
      <script>
      const seen = document.documentElement.dataset;
      const picture = () => element('map').toDataURL();
      const slide = index => {
        element('moment').value = index;
        element('moment').dispatchEvent(new Event('input'));
      };
      seen.moments = data.moments.length;
      element('to-in-use').click();
      seen.peak = data.moments[now].row;
      seen.peakText = element('moment-text').textContent;
      const atPeak = picture();
      slide(0);
      seen.moved = picture() !== atPeak;
      seen.movedText = element('moment-text').textContent;
      const bySize = picture();
      slide(Number(element('moment').max));
      element('to-in-use').click();
      seen.movedBack = picture() === atPeak;
      element('colours').value = 'stream';
      element('colours').dispatchEvent(new Event('change'));
      seen.recoloured = picture() !== atPeak;
      element('axis').value = 'time';
      element('axis').dispatchEvent(new Event('change'));
      document.querySelectorAll('details').forEach(details => details.open = true);
      tellPages();
      seen.tables = [...document.querySelectorAll('table')].filter(table => table.rows.length > 1).length;
      seen.unnamed = [...document.querySelectorAll('[role=img]')].filter(image => !image.ariaLabel).length;
      seen.unreachable = [...document.querySelectorAll('input, button, select, summary')].filter(control => {
        control.focus();
        return document.activeElement !== control;
      }).length;
      seen.wide = document.documentElement.scrollWidth > innerWidth;
      seen.problems = problems.join('; ');
      </script>
      """;

  @TempDir private Path folder;

  private Path trace() throws IOException {
    Random random = new Random(1);
    StringBuilder rows = new StringBuilder("op,id,size,stream,time_us\n");
    int[] sizes = random.ints(3001).map(size -> 1 + (size & ((1 << (size & 15)) - 1))).toArray();
    for (int i = 0; i < 6000; i++) {
      int id = i < sizes.length ? i : i - sizes.length;
      String op = i < sizes.length ? "alloc" : "free";
      rows.append("%s,%d,%d,%d,%d\n".formatted(op, id, sizes[id], id % 2, i * 10L));
    }
    return Files.writeString(folder.resolve("t.csv"), rows);
  }

  private static Ran replay(Path trace, Path page, String... options) {
    return Ran.here(
        Stream.concat(
                Stream.of(
                    "replay", trace.toString(), "--device", "simulated", "--html", page.toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void thePageIsWrittenWhole() throws IOException {
    Path page = folder.resolve("report.html");
    Ran ran = replay(trace(), page);
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out()).endsWith("wrote   " + page + "\n");
    assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    assertThat(folder).isDirectoryNotContaining("glob:**.part*");
  }

  @Test
  void asJsonNothingElseIsPrinted() throws IOException {
    Path page = folder.resolve("report.html");
    Ran ran = replay(trace(), page, "--json");
    assertThat(ran.out()).startsWith("{\n").endsWith("}\n");
    assertThat(page).exists();
  }

  @Test
  void aFileIsReplacedOnlyByForce() throws IOException {
    Path page = Files.writeString(folder.resolve("report.html"), "mine");
    Path trace = trace();
    Ran refused = replay(trace, page);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .isEqualTo("cistern: " + page + " is there already; with --force it is replaced\n");
    assertThat(page).hasContent("mine");
    assertThat(replay(trace, page, "--force").code()).isZero();
    assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>");
  }

  @Test
  void aBadTraceLeavesNoPage() throws IOException {
    Path trace = Files.writeString(folder.resolve("bad.csv"), "op,id,size\nalloc,0,x\n");
    Path page = folder.resolve("report.html");
    assertThat(replay(trace, page).code()).isEqualTo(2);
    assertThat(page).doesNotExist();
  }

  @Test
  void aPipeCantBeReadForIt() throws Exception {
    Path pipe = folder.resolve("pipe");
    assumeTrue(
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0, "no named pipes");
    Ran ran = replay(pipe, folder.resolve("report.html"));
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err())
        .isEqualTo("cistern: " + pipe + " can't be read twice, as --html needs: use a file\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sub-slices", "exclusive-pages"})
  void aBrowserShowsThePage(String layout) throws Exception {
    String browser = browser();
    Path page = folder.resolve("report.html");
    assertThat(replay(trace(), page, "--layout", layout).code()).isZero();
    String text = Files.readString(page);
    String dom = use(browser, text, USER);
    assertThat(seen(dom, "problems")).isEmpty();
    assertThat(seen(dom, "moved")).isEqualTo("true");
    assertThat(seen(dom, "moved-back")).isEqualTo("true");
    assertThat(seen(dom, "recoloured")).isEqualTo("true");
    assertThat(seen(dom, "moments")).isIn("96", "97", "98");
    assertThat(seen(dom, "peak")).isEqualTo("3001");
    assertThat(seen(dom, "peak-text")).startsWith("operation 3,001 of 6,000, 30.0 ms: ");
    assertThat(seen(dom, "moved-text")).matches("operation \\d{1,2} of 6,000, .*");
    assertThat(seen(dom, "tables")).isEqualTo("6");
    assertThat(seen(dom, "unnamed")).isEqualTo("0");
    assertThat(seen(dom, "unreachable")).isEqualTo("0");
    assertThat(seen(dom, "wide")).isEqualTo("false");
    System.getLogger(HtmlReportTest.class.getName())
        .log(
            System.Logger.Level.INFO,
            "{0}: {1} bytes, drawn {2} ms after it was asked for",
            layout,
            text.length(),
            seen(dom, "opened-millis"));
  }

  @Test
  void aBrowserShowsTagsAndStacks() throws Exception {
    String browser = browser();
    Path snapshot = folder.resolve("snapshot.pickle");
    try (InputStream in = HtmlReportTest.class.getResourceAsStream("stacks.pickle")) {
      Files.copy(Objects.requireNonNull(in), snapshot);
    }
    Path page = folder.resolve("report.html");
    assertThat(replay(snapshot, page).code()).isZero();
    String dom =
        use(
            browser,
            Files.readString(page),
            """
            <script>
            const seen = document.documentElement.dataset;
            const bySize = element('map').toDataURL();
            seen.choice = !element('by-tag').hidden;
            element('colours').value = 'tag';
            element('colours').dispatchEvent(new Event('change'));
            seen.recoloured = element('map').toDataURL() !== bySize;
            seen.legend = element('map-legend').children.length;
            seen.stacks = element('largest-table').querySelectorAll('details pre').length;
            seen.problems = problems.join('; ');
            </script>
            """);
    assertThat(seen(dom, "problems")).isEmpty();
    assertThat(seen(dom, "choice")).isEqualTo("true");
    assertThat(seen(dom, "recoloured")).isEqualTo("true");
    assertThat(Integer.parseInt(seen(dom, "legend"))).isGreaterThan(3);
    assertThat(Integer.parseInt(seen(dom, "stacks"))).isPositive();
  }

  @Test
  void aBrowserShowsAComparison() throws Exception {
    String browser = browser();
    Path page = folder.resolve("compare.html");
    Path second = Files.copy(trace(), folder.resolve("t2.csv"));
    Ran ran = Ran.here("compare", trace().toString(), second.toString(), "--html", page.toString());
    assertThat(ran.err()).isEmpty();
    String dom =
        use(
            browser,
            Files.readString(page),
            """
            <script>
            const seen = document.documentElement.dataset;
            seen.tables = [...document.querySelectorAll('table')].map(table => table.rows.length).join(' ');
            seen.unnamed = [...document.querySelectorAll('[role=img]')].filter(image => !image.ariaLabel).length;
            seen.wide = document.documentElement.scrollWidth > innerWidth;
            seen.problems = problems.join('; ');
            </script>
            """);
    assertThat(seen(dom, "problems")).isEmpty();
    assertThat(seen(dom, "tables")).isEqualTo("3 3 3");
    assertThat(seen(dom, "unnamed")).isEqualTo("0");
    assertThat(seen(dom, "wide")).isEqualTo("false");
  }

  @Test
  void aBrowserShowsAPartialPage() throws Exception {
    String browser = browser();
    Curves curves = new Curves();
    MemoryMap map = new MemoryMap();
    Replay[] running = new Replay[1];
    running[0] =
        Replay.of(trace())
            .devices(() -> SimulatedStorage.open(StorageOptions.DEFAULT))
            .pools(MemoryPoolsConfig.Preset.SUB_SLICES)
            .curves(curves)
            .map(map)
            .progress((pass, bytes, operations) -> running[0].interrupt())
            .build();
    ReplayReport report = running[0].run();
    assertThat(report.interrupted()).isTrue();
    String dom =
        use(
            browser,
            HtmlReport.of(report, curves, map),
            """
            <script>
            const seen = document.documentElement.dataset;
            seen.partial = element('partial').innerText;
            seen.map = element('map').checkVisibility();
            seen.curves = element('curves-chart').querySelector('canvas').checkVisibility();
            seen.problems = problems.join('; ');
            </script>
            """);
    assertThat(seen(dom, "problems")).isEmpty();
    assertThat(seen(dom, "partial"))
        .isEqualTo(
            "Partial: the replay was interrupted. Figures and curves are of 6,000 operations; there"
                + " is no map.");
    assertThat(seen(dom, "map")).isEqualTo("false");
    assertThat(seen(dom, "curves")).isEqualTo("true");
  }

  /** Opens a page and does something there. */
  private String use(String browser, String page, String user) throws Exception {
    Path used = folder.resolve("used.html");
    Files.writeString(
        used, page.replace("<title>", LISTENER + "<title>").replace("</body>", user + "</body>"));
    return open(browser, used);
  }

  private static String seen(String dom, String name) {
    Matcher found = Pattern.compile(" data-" + name + "=\"([^\"]*)\"").matcher(dom);
    assertThat(found.find()).as("data-%s: the script ended before", name).isTrue();
    return found.group(1);
  }

  private static String browser() {
    Optional<Path> found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .flatMap(path -> Stream.of("chromium", "google-chrome").map(Path.of(path)::resolve))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "no chromium on the PATH, which would show the page");
    return found.orElseThrow().toString();
  }

  /** What the page is once its scripts have run. */
  private String open(String browser, Path page) throws Exception {
    Path dom = folder.resolve("dom.html");
    Path log = folder.resolve("browser.log");
    Process process =
        new ProcessBuilder(
                List.of(
                    browser,
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--user-data-dir=" + folder.resolve("profile"),
                    "--window-size=1280,720",
                    "--enable-logging=stderr",
                    "--dump-dom",
                    page.toUri().toString()))
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    boolean ended = process.waitFor(BROWSER_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
    }
    assertThat(ended).as("%s: %s", browser, Files.readString(log)).isTrue();
    assertThat(Files.readString(log)).doesNotContain("CONSOLE");
    return Files.readString(dom);
  }
}
