package io.cistern.toml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every refusal with its exact place: the mark {@code ^} in a text stands where the fault is. */
class LayoutFaultsTest {

  private static final String WORDS = "\"enabled\", \"size-match\", \"disabled\", \"enforced\"";

  static Stream<Arguments> words() {
    return Stream.of(
        fault(
            "^",
            "there are no pools; write [[pools]] entries, or pools = one of \"sub-slices\", \"exclusive-pages\""),
        fault(
            "^# only a comment\n",
            "there are no pools; write [[pools]] entries, or pools = one of \"sub-slices\", \"exclusive-pages\""),
        fault(
            "^persistent = 'enabled'",
            "there are no pools; write [[pools]] entries, or pools = one of \"sub-slices\", \"exclusive-pages\""),
        fault(
            "pools = ^'sub-slice'",
            "there is no preset \"sub-slice\"; did you mean \"sub-slices\"?"),
        fault(
            "pools = ^'big'",
            "there is no preset \"big\"; possible are \"sub-slices\", \"exclusive-pages\""),
        fault(
            "pools = ^5",
            "pools must be a list (each entry headed [[pools]]) or one of \"sub-slices\", \"exclusive-pages\", not the number 5"),
        fault(
            "^[pools]\ntype = 'direct'",
            "pools must be a list (each entry headed [[pools]]) or one of \"sub-slices\", \"exclusive-pages\", not a table"),
        fault(
            "pools = [\n  ^'sliced']",
            "a pool is a table with a type and sizes, not the text \"sliced\""),
        fault(
            "pools = 'sub-slices'\npersistent =  ^'enabeld'",
            "there is no setting \"enabeld\"; did you mean \"enabled\"?"),
        fault(
            "pools = 'sub-slices'\npersistent = ^'on'",
            "there is no setting \"on\"; possible are " + WORDS),
        fault(
            "pools = 'sub-slices'\npersistent = ^true",
            "persistent must be one of " + WORDS + ", not true"),
        fault(
            "persistent = ^['enabled']\npools = 'sub-slices'",
            "persistent must be one of " + WORDS + ", not a list"),
        fault(
            "[[pools]]\ntype = ^'slice'\n",
            "there is no pool type \"slice\"; did you mean \"sliced\"?"),
        fault(
            "[[pools]]\ntype = ^'ring'\n",
            "there is no pool type \"ring\"; possible are \"exclusive\", \"direct\", \"sliced\""),
        fault(
            "[[pools]]\ntype = ^7\n",
            "type must be one of \"exclusive\", \"direct\", \"sliced\", not the number 7"));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        fault(
            "pools = 'sub-slices'\n^persistant = 'enabled'",
            "unknown key \"persistant\"; did you mean persistent?"),
        fault(
            "pools = 'sub-slices'\n^'' = 1",
            "unknown key \"\"; the keys of a layout file are persistent and pools"),
        fault(
            "pools = 'sub-slices'\n^name = 'mine'",
            "unknown key \"name\"; the keys of a layout file are persistent and pools"),
        fault(
            "^page_size = 4\n[[pools]]\ntype = 'sliced'",
            "unknown key \"page_size\"; it belongs below a [[pools]] header"),
        fault(
            "pools = 'sub-slices'\n^[extra]\na = 1",
            "unknown key \"extra\"; the keys of a layout file are persistent and pools"),
        fault(
            "[[pools]]\ntype = 'direct'\n  ^persistent = 'enabled'",
            "unknown key \"persistent\"; it belongs to the top of the file, above the first [[pools]]"),
        fault(
            "[[pools]]\ntype = 'direct'\n^pools = 'sub-slices'",
            "unknown key \"pools\"; it belongs to the top of the file, above the first [[pools]]"),
        fault(
            "[[pools]]\ntype = 'sliced'\n^pageSize = 4",
            "unknown key \"pageSize\"; did you mean page_size?"),
        fault(
            "[[pools]]\n^colour = 4\ntype = 'sliced'",
            "unknown key \"colour\"; a sliced pool has page_size, max_slice_size, max_pool_size and dealloc_period"),
        fault(
            "[[pools]]\ntype = 'exclusive'\n\n^page_size = 4",
            "page_size belongs to sliced pools; an exclusive pool has max_alloc_size and dealloc_period"),
        fault(
            "[[pools]]\ntype = 'direct'\n\t^max_alloc_size = 4",
            "max_alloc_size belongs to exclusive pools; a direct pool has reclaim_at"),
        fault(
            "[[pools]]\ntype = 'sliced'\npage_size = 4\n^reclaim_at = 4",
            "reclaim_at belongs to direct pools; a sliced pool has page_size, max_slice_size, max_pool_size and dealloc_period"),
        fault(
            "[[pools]]\ntype = 'direct'\n\n^[[pools]]\npage_size = 4",
            "this pool has no type; possible are \"exclusive\", \"direct\", \"sliced\""),
        fault(
            "pools = [ ^{} ]",
            "this pool has no type; possible are \"exclusive\", \"direct\", \"sliced\""),
        fault(
            "# head\n^[[pools]]\ntype = 'sliced'\nmax_slice_size = 4",
            "a sliced pool needs page_size"),
        fault(
            "pools = [{type='direct'}, ^{type='exclusive'}]",
            "an exclusive pool needs max_alloc_size"),
        fault("[[pools]]\ntype = 'direct'\n^type = 'direct'", "type is set already in line 2"),
        fault("[[pools]]\ntype = 'direct'\n^\"type\" = 'direct'", "type is set already in line 2"),
        fault("pools = [{ type = 'direct', ^type = 'direct' }]", "type is set already in line 1"),
        fault(
            "persistent = 'enabled'\n\n^persistent = 'enabled'",
            "persistent is set already in line 1"),
        fault(
            "pools = 'sub-slices'\n\n^[[pools]]\ntype = 'direct'",
            "pools is set already in line 1; pools is either the name of a preset or a list"),
        fault(
            "pools = []\n^[[pools]]\ntype = 'direct'",
            "pools is set already in line 1; pools is either the name of a preset or a list"),
        fault(
            "[[pools]]\ntype = 'direct'\n^[pools]",
            "pools is set already in line 1; pools is either the name of a preset or a list"));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        size("^1.5", "page_size must be a size such as 1048576 or \"64MiB\", not the number 1.5"),
        size(
            "^1e40000000",
            "page_size must be a size such as 1048576 or \"64MiB\", not the number 1E+40000000"),
        size("^nan", "page_size must be a size such as 1048576 or \"64MiB\", not the number NaN"),
        size(
            "^-inf",
            "page_size must be a size such as 1048576 or \"64MiB\", not the number -Infinity"),
        size("^true", "page_size must be a size such as 1048576 or \"64MiB\", not true"),
        size("^[4]", "page_size must be a size such as 1048576 or \"64MiB\", not a list"),
        size("^{bytes = 4}", "page_size must be a size such as 1048576 or \"64MiB\", not a table"),
        size("^-1", "page_size must be 0 to 9223372036854775807 (2^63-1), not -1"),
        size(
            "^9223372036854775808",
            "page_size must be 0 to 9223372036854775807 (2^63-1), not 9223372036854775808"),
        size(
            "^0xFFFF_FFFF_FFFF_FFFF",
            "page_size must be 0 to 9223372036854775807 (2^63-1), not 18446744073709551615"),
        size("^'8EiB'", "page_size: \"8EiB\" is no size: it is above 2^63-1 bytes (at position 0)"),
        size(
            "^'-1KiB'",
            "page_size: \"-1KiB\" is no size: a size is never negative (at position 0)"),
        size(
            "^'64 parsecs'",
            "page_size: \"64 parsecs\" is no size: the units are B, K, KB, KiB, M, … up to E, EB, EiB (at position 3)"),
        size("^''", "page_size: \"\" is no size: there is no number (at position 0)"),
        size(
            "^\"1\\n\"",
            "page_size: \"1\\u000A\" is no size: nothing may follow the unit (at position 1)"),
        period(
            "^'5000'",
            "dealloc_period must be a number of allocations such as 5000, not the text \"5000\""),
        period(
            "^5e3",
            "dealloc_period must be a number of allocations such as 5000, not the number 5E+3"),
        period(
            "^+nan",
            "dealloc_period must be a number of allocations such as 5000, not the number NaN"),
        period("^-1", "dealloc_period must be 0 to 9223372036854775807 (2^63-1), not -1"),
        period(
            "^9223372036854775808",
            "dealloc_period must be 0 to 9223372036854775807 (2^63-1), not 9223372036854775808"));
  }

  static Stream<Arguments> shapes() {
    return Stream.of(
        size(
            "^64MiB",
            syntax(
                "64MiB is no value; text stands in quotes, numbers look like 5000 or 1_048_576")),
        size(
            "^1__0",
            syntax("1__0 is no value; text stands in quotes, numbers look like 5000 or 1_048_576")),
        size(
            "^0644",
            syntax("0644 is no value; text stands in quotes, numbers look like 5000 or 1_048_576")),
        size(
            "^" + "1".repeat(2000),
            syntax(
                "1".repeat(60)
                    + "… is no value; text stands in quotes, numbers look like 5000 or 1_048_576")),
        size(
            "^1979-05-27",
            syntax(
                "1979-05-27 is no value; text stands in quotes, numbers look like 5000 or 1_048_576")),
        size(
            "^1e123456789",
            syntax(
                "1e123456789 is no value; text stands in quotes, numbers look like 5000 or 1_048_576")),
        size("'4^\rKiB'", syntax("Newline not permitted here")),
        size("^", syntax("a value is expected here")),
        size("^'4KiB", syntax("this quote is not closed in its line")),
        size("^\"4KiB\\\"", syntax("this quote is not closed in its line")),
        size("^'''4KiB''", syntax("these quotes are never closed")),
        size(
            "64 ^MiB",
            syntax("nothing but a comment may follow in this line (text stands in quotes)")),
        size("\"4^\\q\"", syntax("Unknown escape sequence")),
        size("\"4^\u0001\"", syntax("Illegal control character")),
        fault("pools = [1, 2^", syntax("a list goes on with a comma or ends with ]")),
        size("[1 ^2]", syntax("a list goes on with a comma or ends with ]")),
        size(
            "{a = 1^",
            syntax("a table in braces goes on with a comma or ends with }, all in one line")),
        size("{a = 1, ^}", syntax("no comma stands before }")),
        size("[[[[[[[[^[[]]]]]]]]]]", syntax("it is nested deeper than any layout")),
        fault("^= 5", syntax("a key is expected here")),
        fault("pools ^'sub-slices'", syntax("a key is followed by = and its value")),
        fault("pools^\n= 'sub-slices'", syntax("a key is followed by = and its value")),
        fault("pools^.a = 5", syntax("the keys of a layout have no dots")),
        fault("[[pools^.a]]", syntax("the keys of a layout have no dots")),
        fault("[[pools^]\n", syntax("the header is not closed by ]]")),
        fault("[pools^\n", syntax("the header is not closed by ]")),
        fault("[[^]]\n", syntax("a key is expected here")),
        fault("^\"p\\u006fols\" = []\n", syntax("the keys of a layout need no escapes")),
        fault("^ключ = 5\n", syntax("a key is expected here")),
        fault(
            "pools = 'sub-slices'^\rpersistent = 'enabled'",
            syntax("nothing but a comment may follow in this line (text stands in quotes)")),
        fault("# \u2028 \u0085\npools = \"^\\q\"", syntax("Unknown escape sequence")));
  }

  private static String syntax(String problem) {
    return "can't read this: " + problem;
  }

  private static Arguments size(String value, String reason) {
    return fault(
        "# ü\r\n[[pools]]\r\n  type = 'sliced'\r\n  page_size = " + value + "\r\n", reason);
  }

  private static Arguments period(String value, String reason) {
    return fault(
        "[[pools]]\ntype = 'exclusive'\nmax_alloc_size = 0\ndealloc_period=" + value, reason);
  }

  private static Arguments fault(String marked, String reason) {
    return Arguments.of(marked, reason);
  }

  @ParameterizedTest
  @MethodSource({"words", "keys", "values", "shapes"})
  void namesThePlaceAndWhatIsRight(String marked, String reason) {
    int mark = marked.indexOf('^');
    String before = marked.substring(0, mark);
    String text = before + marked.substring(mark + 1);
    int line = before.split("\n", -1).length;
    int column = mark - before.lastIndexOf('\n');

    LayoutFileException e =
        catchThrowableOfType(
            LayoutFileException.class, () -> LayoutFile.parse(text, "dir/my.toml"));

    assertThat(e).isNotNull().hasMessage("dir/my.toml:%d:%d: %s", line, column, reason);
    assertThat(e.file()).isEqualTo("dir/my.toml");
    assertThat(e.line()).isEqualTo(line);
    assertThat(e.column()).isEqualTo(column);
    assertThat(e.reason()).isEqualTo(reason);
  }

  @Test
  void countsLinesAndColumnsFromOne() {
    assertThatThrownBy(
            () ->
                LayoutFile.parse(
                    """
                    # my pools
                    [[pools]]
                    type = "sliced"
                      page_size = "64 MiB"
                      max_slice = "8MiB"
                    """,
                    "my.toml"))
        .hasMessageStartingWith("my.toml:5:3: unknown key \"max_slice\"; ");
  }
}
