"""Tables: data as rows and columns, layout as the blocks it lays out."""

import pytest
from rendering import READER, html_of, markdown, words

HEAD = "| a | b |\n| --- | --- |\n"

DATA = [
    ("<tr><th>a<th>b<tr><td>1<td>2", HEAD + "| 1 | 2 |"),
    ("<thead><tr><td>a<td>b<tbody><tr><td>1<td>2", HEAD + "| 1 | 2 |"),
    ("<tr><td>a<td>b<tr><td>1<td>2", HEAD + "| 1 | 2 |"),
    ("<tr><th>a<td>1<tr><th>b<td>2", "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |"),
    (
        "<caption>Cap</caption><tr><th>a<th>b<tr><td>1<td>2",
        "Cap\n\n" + HEAD + "| 1 | 2 |",
    ),
    ("<tr><th>a<th>b<tr><td>1<td>", HEAD + "| 1 |  |"),
    ("<tr><th>a<th>b<tr><td><td>2", HEAD + "|  | 2 |"),
    ("<tr><th>a<th>b<tr><td colspan=2>1<tr><td>2<td>3", HEAD + "| 1 |  |\n| 2 | 3 |"),
    ("<tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3", HEAD + "| 1 | 2 |\n|  | 3 |"),
    ("<tr><th>a<th>b<tr><td rowspan=0>1<td>2<tr><td>3", HEAD + "| 1 | 2 |\n|  | 3 |"),
    (
        "<tr><th>a<th>b<tr><td colspan=9007199254740991>1<tr><td rowspan=9007199254740991>2<td>3",
        HEAD + "| 1 |  |\n| 2 | 3 |",
    ),
    ("<tr><th>a<th>b<tr><td>x|y<td><code>c|d</code>", HEAD + "| x\\|y | `c\\|d` |"),
    ("<tr><th>a<th>b<tr><td>x<br>y<td><p>p<p>q", HEAD + "| x y | p q |"),
    ("<tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>z", HEAD + "| x y | z |"),
    ("<tr><td><h4>a</h4><td><h4>b</h4><tr><td>1<td>2", HEAD + "| 1 | 2 |"),
    ("<tr><th>a<th>&nbsp;<th>b<tr><td>1<td><td>2", HEAD + "| 1 | 2 |"),
]


@pytest.mark.parametrize(("table", "expected"), DATA)
def test_data(table: str, expected: str) -> None:
    page = f"<table>{table}</table>"
    assert markdown(page) == expected
    assert words(READER.render(markdown(page))) == words(page) == words(html_of(page))


LAYOUT = [
    ("<tr><td>a", "a"),
    ("<tr><td>a<tr><td>b", "a\n\nb"),
    ("<tr><td>a<td>b", "a\n\nb"),
    ("<tr><td><h2>a</h2><p>b<td>c<tr><td>d<td>" + "long " * 200, None),
    ("<tr><td><p>a<p>b<td>c<tr><td>d<td>e", "a\n\nb\n\nc\n\nd\n\ne"),
    ("<tr><th>a<th>b<tr><td><pre>x\ny</pre><td>c", "a\n\nb\n\n```\nx\ny\n```\n\nc"),
    ("<tr><td>a<td><table><tr><td>b</table><tr><td>c<td>d", "a\n\nb\n\nc\n\nd"),
]


@pytest.mark.parametrize(("table", "expected"), LAYOUT)
def test_layout(table: str, expected: str | None) -> None:
    written = markdown(f"<table>{table}</table>")
    assert "| ---" not in written
    assert expected is None or written == expected


def test_presentation_is_layout() -> None:
    assert (
        markdown("<table role=presentation><tr><th>a<th>b<tr><td>1<td>2</table>")
        == "a\n\nb\n\n1\n\n2"
    )


def test_html_keeps_what_is_left_of_spans() -> None:
    page = "<table><tr><th colspan=5>a<th>b<tr><td>1<td colspan=5>2<tr><td rowspan=9>3<td>4</table>"
    assert html_of(page).splitlines() == [
        "<table>",
        '<tr><th colspan="2">a</th><th>b</th></tr>',
        '<tr><td>1</td><td colspan="2">2</td></tr>',
        "<tr><td>3</td><td>4</td></tr>",
        "</table>",
    ]


@pytest.mark.parametrize(
    "page",
    [
        "<table>" + "<tr><th>a<td colspan=1000>b" * 2000,
        "<table><tr>" + "<td rowspan=65534>a" * 2000 + "<tr><td>b" * 2000,
        "<table><tr>" + "<th>a" * 3000 + "<tr><td>b" * 3000,
        "<table><tr>" + "<td colspan=1000 rowspan=65534>x" * 300 + "<tr><td>y" * 300,
    ],
)
def test_hostile_spans_cost_no_more_than_their_text(page: str) -> None:
    written = markdown(page)
    assert len(written) < 40 * len(page)
    assert len(words(READER.render(written))) == len(words(page))
