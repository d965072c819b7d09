package io.cistern.trace.picture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.cistern.config.MemoryPoolsConfig;
import io.cistern.storage.SimulatedStorage;
import io.cistern.storage.StorageOptions;
import io.cistern.trace.replay.Replay;
import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlReportTest {

  private static final Set<String> WITHOUT_END = Set.of("meta", "input");

  private static final String SMALL =
      "alloc,0,1000,0,5\nalloc,1,3000000,1,9\nfree,1,3000000,1,12\n";

  @TempDir private Path folder;

  /** The page of a trace that is called something: a file system might refuse the name. */
  private String page(String name, String rows) throws IOException {
    Path trace = Files.writeString(folder.resolve("t.csv"), "op,id,size,stream,time_us\n" + rows);
    Curves curves = new Curves();
    MemoryMap map = new MemoryMap();
    ReplayReport report =
        Replay.of(trace)
            .devices(() -> SimulatedStorage.open(StorageOptions.DEFAULT))
            .pools(MemoryPoolsConfig.Preset.SUB_SLICES)
            .layoutName("</script><!--")
            .curves(curves)
            .map(map)
            .build()
            .run();
    ReplayReport.Subject subject = report.subject();
    ReplayReport named =
        new ReplayReport(
            new ReplayReport.Subject(
                name,
                subject.device(),
                subject.layout(),
                subject.byteAlignment(),
                subject.maxPageByteSize(),
                subject.touched()),
            report.figures(),
            report.timing(),
            report.interrupted());
    return HtmlReport.of(named, curves, map);
  }

  /** The page without what stands in its scripts and styles. */
  private static String markup(String page) {
    return Pattern.compile("(<(script|style)[^>]*>).*?(</\\2>)", Pattern.DOTALL)
        .matcher(page)
        .replaceAll("$1$3");
  }

  @Test
  void everyElementEnds() throws IOException {
    String markup = markup(page("t.csv", SMALL));
    assertThat(markup).startsWith("<!DOCTYPE html>\n<html lang=\"en\">").doesNotContain("{{", "}}");
    Deque<String> open = new ArrayDeque<>();
    Matcher tags = Pattern.compile("<(/?)([a-z0-9]+)[^>]*>").matcher(markup);
    while (tags.find()) {
      if (tags.group(1).isEmpty() && !WITHOUT_END.contains(tags.group(2))) {
        open.push(tags.group(2));
      } else if (!tags.group(1).isEmpty()) {
        assertThat(open.pop()).as("at %s", tags.start()).isEqualTo(tags.group(2));
      }
    }
    assertThat(open).isEmpty();
    List<String> ids = attributes(markup, "id");
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(attributes(markup, "aria-labelledby")).isSubsetOf(ids);
  }

  private static List<String> attributes(String markup, String name) {
    List<String> values = new ArrayList<>();
    Matcher found = Pattern.compile("[ ]" + name + "=\"([^\"]*)\"").matcher(markup);
    while (found.find()) {
      values.add(found.group(1));
    }
    return values;
  }

  /** What is drawn exists: the script finds each element by its id. */
  @Test
  void theScriptsKnowTheMarkup() throws IOException {
    String page = page("t.csv", SMALL);
    List<String> ids = attributes(markup(page), "id");
    Matcher used = Pattern.compile("(?:element|table|legendOf)\\('([a-z-]+)'").matcher(page);
    int count = 0;
    while (used.find()) {
      assertThat(ids).contains(used.group(1));
      count++;
    }
    assertThat(count).isGreaterThan(20);
  }

  @Test
  void nothingIsLoaded() throws IOException {
    String page = page("t.csv", SMALL);
    assertThat(page)
        .contains(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
                + " 'unsafe-inline'; script-src 'unsafe-inline'\">");
    assertThat(page)
        .doesNotContainPattern("(?i)\\s(src|href|action|srcset|poster|data)\\s*=\\s*[\"']")
        .doesNotContainPattern("(?i)url\\(|@import|<link|<iframe|<img|<object|<base")
        .doesNotContainPattern(
            "fetch\\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|import\\(");
    // The one address is in the comment that names the library.
    assertThat(page.split("https?://", -1)).hasSize(2);
    assertThat(page).contains("/*! https://github.com/leeoniya/uPlot (v1.6.32) */");
  }

  @Test
  void theLicenceOfTheLibraryIsInThePage() throws IOException {
    assertThat(markup(page("t.csv", SMALL)))
        .contains("Licence of uPlot 1.6.32", "The MIT License (MIT)", "Leon Sorokin");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<img onerror=alert(1)>.csv",
        "a\"b'c&amp;.csv",
        "größe-内存-\u2028.csv",
        "<!--<script>.csv",
        "{{data}}.csv",
        "$1\\.csv"
      })
  void namesAreTextAndNothingElse(String name) throws IOException {
    String plain = page("t.csv", SMALL);
    String page = page(name, SMALL);
    assertThat(tags(page)).isEqualTo(tags(plain));
    assertThat(texts(data(page), "trace")).containsExactly(name);
    assertThat(texts(data(page), "layout")).containsExactly("</script><!--");
  }

  private static List<String> tags(String page) {
    return Pattern.compile("<[/!a-zA-Z][^>]*>")
        .matcher(markup(page))
        .results()
        .map(tag -> tag.group())
        .toList();
  }

  private static String data(String page) {
    String begin = "<script type=\"application/json\" id=\"data\">";
    int from = page.indexOf(begin) + begin.length();
    return page.substring(from, page.indexOf("</script>", from));
  }

  private static List<String> texts(String json, String field) throws IOException {
    List<String> values = new ArrayList<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING && field.equals(parser.currentName())) {
          values.add(parser.getText());
        }
      }
    }
    return values;
  }

  /** The worst that there is: everywhere many pages and slices of all sizes. */
  @Test
  void thePageStaysSmall() throws IOException {
    Random random = new Random(1);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      long size = 1L << random.nextInt(22);
      rows.append("alloc,%d,%d,%d,%d\n".formatted(i, size + i % 7, random.nextInt(3), i * 7L));
    }
    assertThat(page("t.csv", rows.toString()).length()).isBetween(500_000, 3_000_000);
  }
}
