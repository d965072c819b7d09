package io.cistern.trace.picture;

import io.cistern.trace.report.ReplayReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The page that shows a replay: one HTML file that holds all it needs and loads nothing. */
public final class HtmlReport {

  private HtmlReport() {}

  /**
   * The page.
   *
   * @param report what the replay found
   * @param curves what was recorded in it
   * @param map what was recorded in it; without moments if it was interrupted before
   */
  public static String of(ReplayReport report, Curves curves, MemoryMap map) {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("title", escaped(report.subject().trace()));
    parts.put("chart-style", resource("uPlot.min.css"));
    parts.put("style", resource("report.css"));
    parts.put("chart-licence", escaped(resource("uPlot.LICENSE")));
    parts.put("chart-script", resource("uPlot.iife.min.js"));
    parts.put("charts-script", resource("charts.js"));
    parts.put("map-script", resource("map.js"));
    parts.put("script", resource("report.js"));
    parts.put("data", inScript(PictureJson.of(report, curves, map)));
    String page = resource("report.html");
    StringBuilder filled = new StringBuilder();
    int from = 0;
    // In one walk: what a part holds is not searched for places of others.
    for (int open = page.indexOf("{{"); open >= 0; open = page.indexOf("{{", from)) {
      int close = page.indexOf("}}", open);
      filled.append(page, from, open);
      filled.append(Objects.requireNonNull(parts.get(page.substring(open + 2, close))));
      from = close + 2;
    }
    return filled.append(page, from, page.length()).toString();
  }

  /** JSON that can't end the script that it stands in: a "<" is part of a string there. */
  private static String inScript(String json) {
    return json.replace("<", "\\u003c");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static String resource(String name) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
