package io.cistern.trace.picture;

import io.cistern.trace.report.CompareJson;
import io.cistern.trace.report.CompareReport;

/** The page that shows a comparison: one HTML file that holds all it needs and loads nothing. */
public final class HtmlComparison {

  private HtmlComparison() {}

  /** The page of a comparison. */
  public static String of(CompareReport report) {
    return new HtmlPage("compare.html")
        .resource("style", "report.css")
        .resource("page-script", "page.js")
        .resource("script", "compare.js")
        .data("data", CompareJson.of(report))
        .filled();
  }
}
