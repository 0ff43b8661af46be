"""Clean HTML: the words and structure of the page, and nothing that could act."""

import re

import pytest
from hypothesis import given, settings
from rendering import (
    PAGE_URL,
    Selected,
    chosen_words,
    html_of,
    markdown,
    selections,
    words,
)

from scythe.content.formats.html import to_html
from scythe.tree import parse
from scythe.tree.tags import TagSet

ELEMENTS = TagSet(
    """
    p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote figure figcaption pre code table caption tr th td tbody hr br
    img a strong em del kbd samp sub sup u ins mark small abbr cite dfn var q time bdi bdo ruby rt rp html head
    body
    """
)
ATTRIBUTES = {
    "href",
    "src",
    "alt",
    "title",
    "colspan",
    "rowspan",
    "start",
    "datetime",
    "dir",
    "class",
}


@settings(max_examples=120, deadline=None)
@given(selections())
def test_words_are_those_of_the_plain_text(selected: Selected) -> None:
    tree, nodes = selected
    assert words(to_html(tree, nodes, PAGE_URL)) == chosen_words(tree, nodes)


@settings(max_examples=120, deadline=None)
@given(selections())
def test_nothing_but_known_elements_and_attributes(selected: Selected) -> None:
    tree = parse(to_html(*selected, PAGE_URL))
    for node in range(len(tree)):
        attributes = {} if tree.is_text[node] else dict(tree.attributes(node))
        assert tree.is_text[node] or tree.name(node) in ELEMENTS
        assert attributes.keys() <= ATTRIBUTES
        assert re.fullmatch(
            r"language-[\w+#.-]+", attributes.get("class", "language-x")
        )
        for name in ("href", "src"):
            assert attributes.get(name, "https:").startswith(
                ("https:", "http:", "mailto:")
            )


@settings(max_examples=100, deadline=None)
@given(selections())
def test_cleaning_twice_changes_nothing(selected: Selected) -> None:
    once = to_html(*selected, PAGE_URL)
    tree = parse(once)
    assert to_html(tree, tree.end > 0, PAGE_URL) == once


BLOCKS = [
    (
        "<h1><b>a<p>b</p><hr></b></h1>",
        "<h1>a</h1>\n<p><strong>b</strong></p>\n<hr>",
    ),
    ("<div><div><p class=x style=y onclick=z>a</p></div></div>", "<p>a</p>"),
    ("<div>a<div>b</div></div>", "<p>a</p>\n<p>b</p>"),
    ("<b>a </b>b", "<p><strong>a</strong> b</p>"),
    ("a<br>b<br><br>c", "<p>a<br>\nb</p>\n<p>c</p>"),
    (
        "<ul><li>a<ul><li>b</ul></ul>",
        "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>",
    ),
    ("<ol start=3><li>a</ol>", '<ol start="3">\n<li>a</li>\n</ol>'),
    (
        "<pre class=lang-c>a &lt; b\n  c</pre>",
        '<pre><code class="language-c">a &lt; b\n  c</code></pre>',
    ),
    ("<dl><dt>t<dd>d</dl>", "<dl>\n<dt>t</dt>\n<dd>d</dd>\n</dl>"),
    (
        "<a href='/x' title='&quot;' onclick=y>a</a>",
        '<p><a href="https://example.org/x" title="&quot;">a</a></p>',
    ),
    ("<a href=javascript:x>a</a>", "<p>a</p>"),
    (
        "<time datetime=2020-01-01>then</time>",
        '<p><time datetime="2020-01-01">then</time></p>',
    ),
    (
        "<figure><img src=i.png alt='&quot;'><figcaption>c</figcaption></figure>",
        '<figure>\n<img src="https://example.org/news/i.png" alt="&quot;">\n<figcaption>c</figcaption>\n</figure>',
    ),
    (
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    ),
]


@pytest.mark.parametrize(("html", "expected"), BLOCKS)
def test_blocks(html: str, expected: str) -> None:
    assert html_of(html) == expected


def test_text_of_a_script_is_text() -> None:
    tree = parse("<script>alert(1)</script>")
    assert to_html(tree, tree.end > 0) == "<p>alert(1)</p>"


def test_nothing_chosen_is_nothing_written() -> None:
    tree = parse("<p>a<img src=i.png>")
    assert to_html(tree, tree.end < 0) == ""
    assert markdown("") == ""
