"""A page with its records drawn over it: every record has its box and its number, and
nothing of the page can act.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from engine_pages import result_page, row_page
from given_records import records_at
from markup import pages
from scythe.sections.span import Span
from scythe.tree import parse
from scythe.tree.tree import Tree
from scythe.wrappers.rule import ElementSelector, LocatedRule
from scythe.wrappers.show import show_html

HITS = LocatedRule(
    ElementSelector("ol", "results"), (), ElementSelector("li", None, ("hit",))
)
ROWS = LocatedRule(
    ElementSelector("table", "results"),
    ("tbody",),
    ElementSelector("tr", None, ("head",)),
    runs=True,
)


def shown(html: str, rule: LocatedRule, **fields: str) -> tuple[str, Tree]:
    tree = parse(html)
    page = show_html(
        html,
        tree,
        records_at(tree, rule.cut(tree), dict(fields)),
        "https://x.example/a?b&c",
    )
    return page, parse(page)


def numbered(tree: Tree) -> dict[str, str]:
    """The elements with a number, by number."""
    return {
        number: tree.name(node)
        for node, number in tree.with_attribute("data-scythe-number").items()
    }


def test_every_record_has_a_box_and_a_number() -> None:
    _, tree = shown(result_page(0), HITS)
    boxes = list(tree.with_attribute("data-scythe-box"))
    assert [tree.name(node) for node in boxes] == ["li"] * 10
    assert numbered(tree) == {str(number): "li" for number in range(1, 11)}
    assert all("--scythe: #" in (tree.attributes(node)["style"]) for node in boxes)


def test_a_record_of_several_rows_has_boxes_on_all_and_its_number_in_the_first_cell() -> (
    None
):
    _, tree = shown(row_page(0), ROWS)
    assert [tree.name(node) for node in tree.with_attribute("data-scythe-box")] == [
        "tr"
    ] * 16
    assert numbered(tree) == {str(number): "td" for number in range(1, 9)}


def test_the_legend_names_the_fields_with_an_example() -> None:
    page, _ = shown(result_page(0), HITS, title="<b>Hay</b> & straw", price="x" * 200)
    assert "10 records" in page
    assert "<dt>title</dt><dd>&lt;b&gt;Hay&lt;/b&gt; &amp; straw</dd>" in page
    assert f"<dd>{'x' * 80}...</dd>" in page
    assert "confidence 0.87" in page
    assert "next page: /search?page=1" in page


def test_text_and_style_of_the_page_stay() -> None:
    html = (
        "<!DOCTYPE html><style>p > b { color: red }</style><link rel=stylesheet href=a.css>"
        "<pre>\n\n  x &lt;b></pre><p title='\"&amp;'>1<br>2<img src=i.png>"
    )
    page, _ = shown(html, HITS)
    assert page.startswith("<!DOCTYPE html><html><head>")
    for part in (
        "p > b { color: red }",
        'href="a.css"',
        "\n\n  x &lt;b&gt;</pre>",
        '<p title="&quot;&amp;">1<br>2<img src="i.png">',
    ):
        assert part in page
    assert '<base href="https://x.example/a?b&amp;c">' in page


def test_a_page_without_doctype_is_shown_without() -> None:
    assert show_html("<p>x", parse("<p>x"), records_at(parse("<p>x"), [])).startswith(
        "<html>"
    )


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<p onclick='alert(1)'>x</p>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href=' java\nscript:alert(1)'>x</a>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data='javascript:alert(1)'></object>",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
        "<base href='javascript:alert(1)//'>",
        "<noscript><p title='</noscript><script>alert(1)</script>'></noscript>",
        "<style></style><script>alert(1)</script>",
        "<plaintext><script>alert(1)",
        "<template><script>alert(1)</script></template>",
        "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button></form>",
    ],
)
def test_nothing_of_the_page_can_act(markup: str) -> None:
    page, tree = shown(f"<!DOCTYPE html><body>{markup}", HITS)
    assert not {"script", "iframe", "object", "noscript", "template", "plaintext"} & {
        tree.name(node) for node in range(len(tree))
    }
    assert page.index("Content-Security-Policy") < page.index("<style>")
    assert "default-src 'none'" in page
    for node in range(len(tree)):
        for name, value in tree.attributes(node).items():
            assert not name.startswith("on")
            assert "alert" not in value


def test_records_in_a_noscript_are_shown() -> None:
    html = "<body><noscript><ul><li>One</li><li>Two</li></ul></noscript>"
    page, tree = shown(
        html, LocatedRule(ElementSelector("ul"), (), ElementSelector("li"))
    )
    assert numbered(tree) == {"1": "li", "2": "li"}
    assert "<noscript" not in page


@given(pages)
def test_any_page_can_be_shown(html: str) -> None:
    tree = parse(html)
    spans = [Span(node, int(tree.end[node])) for node in range(1, len(tree))][:3]
    page = show_html(html, tree, records_at(tree, spans, {"title": "x"}))
    assert not re.search(r"<script", page)
