package io.cistern.trace.picture;

import io.cistern.trace.report.ReplayReport;

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
    return new HtmlPage("report.html")
        .text("title", report.subject().trace())
        .resource("chart-style", "uPlot.min.css")
        .resource("style", "report.css")
        .licence("chart-licence", "uPlot.LICENSE")
        .resource("chart-script", "uPlot.iife.min.js")
        .resource("page-script", "page.js")
        .resource("charts-script", "charts.js")
        .resource("map-script", "map.js")
        .resource("script", "report.js")
        .data("data", PictureJson.of(report, curves, map))
        .filled();
  }
}
