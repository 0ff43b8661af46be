"""Pages, selections and a Markdown reader for the tests of the renderers."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scythe.content.formats.html import to_html
from scythe.content.formats.markdown import to_markdown
from scythe.tree import Tree, parse
from scythe.tree.text import plain_text
from scythe.tree.tree import Bools
from scythe.tree.visibility import visible

READER = MarkdownIt("commonmark", {"maxNesting": 1000}).enable(
    ["table", "strikethrough"]
)
PAGE_URL = "https://example.org/news/page.html"

TAGS = """
a b strong i em s code kbd sub sup u q span font p div section h1 h2 h3 ul ol li dl dt dd blockquote pre table
caption thead tbody tr td th figure figcaption img br hr noscript details summary textarea script style select
option svg ruby rt center listing xmp button template
"""
MARKS = r"""
word , . ! !! " ( ) [ ] [x] * ** *** _ __ _a_ a_b ~ ~~ ~~~ ` `` ``` \ \\ # ## ### + - -- --- = === > < <b>
</b> <!-- & &amp; &lt; &#35; 1. 2) 10. | || |-| :-: 中文。 “quote” € é http://a.b/c_d_e !( ![ ]( ]: [^1] : :- 😀
"""
HOSTILE = """
href="javascript:alert(1)"
href="JaVa&#9;Script:alert(1)"
href=" &#1;javascript:x"
href="data:text/html,<script>"
href="vbscript:x"
href="/a b(c)d"
href="x(y"
href="https://e.example/?a=1&amp;copy;=2|3"
href='"><script>alert(1)</script>'
href="mailto:a@b.example"
href="//h.example/p"
href="http://["
href=""
onclick="alert(1)"
onerror=alert(1)
style="x:expression(1)"
src="x.png"
src="javascript:x"
src="data:image/gif;base64,AA"
srcset="a 1x, b 2x"
data-src="l.jpg"
alt="a &quot; onerror=x ] [ ` * <"
title="t &quot;><script>"
colspan=9007199254740991
colspan=0
colspan=2
rowspan=3
rowspan=0
rowspan=65534
start=7
start=-2
value=9
class="language-c++"
class="lang-&quot;>"
role=presentation
datetime="&quot;<"
dir=rtl
"""
"""Attributes, one a line, meant to break out of where they are written or to cost time."""

WORDS = st.one_of(
    st.sampled_from(MARKS.split()),
    st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=5),
)
TEXTS = st.lists(
    st.tuples(
        st.sampled_from(["", " ", "\n", "  ", "\t", "\u00a0", "\u2003", "\u200b"]),
        WORDS,
    ),
    max_size=4,
).map(lambda pairs: "".join(gap + word for gap, word in pairs))


@st.composite
def pages(draw: st.DrawFn) -> str:
    """Tag soup: elements open and close in any order, with attributes meant to break
    out.
    """
    parts = []
    for _ in range(draw(st.integers(0, 25))):
        kind = draw(st.integers(0, 9))
        if kind < 5:
            text = draw(TEXTS)
            parts.append(text.replace("&", "&amp;").replace("<", "&lt;"))
        elif kind < 8:
            attributes = " ".join(
                draw(
                    st.lists(st.sampled_from(HOSTILE.strip().splitlines()), max_size=2)
                )
            )
            parts.append(f"<{draw(st.sampled_from(TAGS.split()))} {attributes}>")
        else:
            parts.append(f"</{draw(st.sampled_from(TAGS.split()))}>")
    return "".join(parts)


Selected = tuple[Tree, Bools]


@st.composite
def selections(draw: st.DrawFn) -> Selected:
    """A page and any choice of its nodes."""
    tree = parse(draw(pages()))
    chosen = draw(
        st.one_of(
            st.just([True] * len(tree)),
            st.lists(st.booleans(), min_size=len(tree), max_size=len(tree)),
        )
    )
    return tree, np.array(chosen, dtype=bool)


def chosen_words(tree: Tree, nodes: Bools) -> list[str]:
    """The words of a selection. White space without width counts as such in
    preformatted text too.
    """
    return plain_text(tree, nodes).replace("\u200b", " ").replace("\ufeff", " ").split()


def words(html: str) -> list[str]:
    """The words a browser would show of a fragment."""
    tree = parse(html)
    return chosen_words(tree, np.ones(len(tree), dtype=bool))


def elements(html: str) -> list[str]:
    """The tags in the body of a page, in order."""
    tree = parse(html)
    return [tree.name(node) for node in range(3, len(tree)) if not tree.is_text[node]]


def markdown(html: str) -> str:
    """The Markdown of all a reader sees of a page."""
    tree = parse(html)
    return to_markdown(tree, visible(tree), PAGE_URL)


def html_of(html: str) -> str:
    """The clean HTML of all a reader sees of a page."""
    tree = parse(html)
    return to_html(tree, visible(tree), PAGE_URL)
