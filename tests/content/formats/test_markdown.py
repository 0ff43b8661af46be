"""Markdown: read back by a Markdown reader, it has the words and the structure of the
page.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rendering import (
    PAGE_URL,
    READER,
    Selected,
    chosen_words,
    elements,
    markdown,
    pages,
    selections,
    words,
)

from scythe.content.formats.markdown import to_markdown
from scythe.tree import parse


def read_back(html: str) -> str:
    """The HTML that a Markdown reader makes of a page's Markdown."""
    rendered: str = READER.render(markdown(html))
    return rendered.strip()


@settings(max_examples=200, deadline=None)
@given(selections())
def test_words_are_those_of_the_plain_text(selected: Selected) -> None:
    tree, nodes = selected
    assert words(READER.render(to_markdown(tree, nodes, PAGE_URL))) == chosen_words(
        tree, nodes
    )


@settings(max_examples=60, deadline=None)
@given(pages())
def test_at_most_one_blank_line_and_none_at_the_ends(html: str) -> None:
    written = markdown(html)
    outside_code = written.split("```")[::2]
    assert all("\n\n\n" not in part for part in outside_code)
    assert written == written.strip("\n")


INLINE = [
    ("a<b> bold </b>c", "a **bold** c"),
    ("<b>one</b><b>two</b>", "**onetwo**"),
    ("<b>one</b> <strong>two</strong>", "**one two**"),
    ("<b><i><b>x</b></i></b>", "***x***"),
    ("<i>a <i>b</i></i>", "*a b*"),
    ("half<b>way</b>s", "half**way**s"),
    ("<b>Note:</b>text", "**Note**:text"),
    ("x<b>(y)</b>z", "x(**y**)z"),
    ("<b>\u4e2d\u6587\u3002</b>\u540e\u9762", "**\u4e2d\u6587**\u3002\u540e\u9762"),
    ("<b>a</b><i>b</i>", "**a**b"),
    ("<s>old</s> <del>gone</del>", "~~old gone~~"),
    ("<b></b>plain<i> </i>", "plain"),
    ("<code>x = 1</code> <kbd>Ctrl</kbd>", "`x = 1 Ctrl`"),
    ("<code>a`b</code>", "``a`b``"),
    ("<code>`</code>", "`` ` ``"),
    ("<code>a<b>*</b>c</code>", "`a*c`"),
    ("<b><code>x</code></b>", "**`x`**"),
    ("10<sup>6</sup> H<sub>2</sub>O", "10<sup>6</sup> H<sub>2</sub>O"),
    ("one<br>two", "one\\\ntwo"),
    ("one<br> <br>two", "one\n\ntwo"),
    ("<br>one<br>", "one"),
    ("a\n   b&nbsp;c\u3000d", "a b c d"),
]


@pytest.mark.parametrize(("html", "expected"), INLINE)
def test_inline_formatting(html: str, expected: str) -> None:
    assert markdown(f"<p>{html}</p>") == expected


LINKS = [
    ('<a href="/a">x</a>', "[x](https://example.org/a)"),
    ('<a href="b?c=d#e"> x </a>', "[x](https://example.org/news/b?c=d#e)"),
    ('<a href="#top">x</a>', "[x](https://example.org/news/page.html#top)"),
    ('<a href="//cdn.example/x">x</a>', "[x](https://cdn.example/x)"),
    ('<a href="mailto:a@b.example">x</a>', "[x](mailto:a@b.example)"),
    ('<a href="/a b">x</a>', "[x](https://example.org/a%20b)"),
    ('<a href="/w_(x)">x</a>', "[x](https://example.org/w_(x))"),
    ('<a href="/w(x">x</a>', "[x](https://example.org/w\\(x)"),
    ('<a href="javascript:void(0)">x</a>', "x"),
    ('<a href="Java\tScript:void(0)">x</a>', "x"),
    ('<a href="data:text/html,hi">x</a>', "x"),
    ('<a href="http://[">x</a>', "[x](http://[)"),
    ("<a name=here>x</a>", "x"),
    ("<a href=/a></a>x", "x"),
    ("<a href=/a>[1] and ]</a>", "[\\[1\\] and \\]](https://example.org/a)"),
    ("wow!<a href=/a>x</a>", "wow\\![x](https://example.org/a)"),
    ("<a href=/a><b>x</b></a>", "[**x**](https://example.org/a)"),
    ("<code><a href=/a>x</a></code>", "[`x`](https://example.org/a)"),
    ("<a href=/a><code>[x]:</code></a>", "[\\[x\\]:](https://example.org/a)"),
    (
        "<a href=/a><img src=i.png alt=A></a>",
        "[![A](https://example.org/news/i.png)](https://example.org/a)",
    ),
]


@pytest.mark.parametrize(("html", "expected"), LINKS)
def test_links(html: str, expected: str) -> None:
    assert markdown(f"<p>{html}</p>") == expected


def test_base_element_stands_above_the_address_of_the_page() -> None:
    assert (
        markdown('<base href="https://other.example/x/"><p><a href=y>z</a>')
        == "[z](https://other.example/x/y)"
    )


def test_relative_links_stay_where_the_address_is_unknown() -> None:
    tree = parse('<p><a href="y">z</a>')
    assert to_markdown(tree, tree.is_text) == "[z](y)"


def test_a_link_around_blocks_is_a_link_in_each() -> None:
    assert (
        markdown("<a href=/a><h3>T</h3><p>text</p></a>")
        == "### [T](https://example.org/a)\n\n[text](https://example.org/a)"
    )


LITERAL = [
    "1*2*3",
    "5 * 3",
    "_a_",
    "snake_case_name",
    "`tick`",
    "[x](y)",
    "[x]: y",
    "![x](y)",
    "<b>",
    "a<b",
    "1 < 2",
    "&amp;",
    "&copy",
    "AT&T",
    "# no",
    "#hash",
    "+ no",
    "- no",
    "-5",
    "1. no",
    "1) no",
    "1.5",
    "=== ",
    "---",
    "- - -",
    "***",
    "___",
    "~~~",
    "~5",
    "~~x~~",
    "~a~ b~",
    "> no",
    "a > b",
    "\\",
    "\\*",
    "C:\\dir\\file",
    "| a |",
    "|-|-|",
    "\\[x\\]",
    "[ ] task",
    "http://a.example/b_c_d",
    "C# and F#",
    "```js",
    "a ``` b",
    "!",
    "$x$",
    "x^2",
    "<!-- x -->",
    "<https://a.example>",
    "&#35;",
]


FRAMES = [
    ("<p>{}</p>", ["p"]),
    ("<p>x<br>{}</p>", ["p", "br"]),
    ("<h2>{}</h2>", ["h2"]),
    ("<ul><li>{}</li></ul>", ["ul", "li"]),
    ("<p><b>{}</b></p>", ["p", "strong"]),
    ("<p><a href=x>{}</a></p>", ["p", "a"]),
    ("<blockquote>{}</blockquote>", ["blockquote", "p"]),
]


@pytest.mark.parametrize("text", LITERAL)
@pytest.mark.parametrize(("frame", "expected"), FRAMES)
def test_text_stays_text(text: str, frame: str, expected: list[str]) -> None:
    page = frame.format(text.replace("&", "&amp;").replace("<", "&lt;"))
    assert words(read_back(page)) == words(page)
    assert elements(read_back(page)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 * 3 - 2 + 1 = 4", "5 * 3 - 2 + 1 = 4"),
        ("snake_case (x) #1 ~5% a > b & c!", "snake_case (x) #1 ~5% a > b & c!"),
        ("-5 +3", "-5 +3"),
    ],
)
def test_nothing_is_escaped_without_need(text: str, expected: str) -> None:
    assert markdown(f"<p>{text}</p>") == expected


BLOCKS = [
    ("<h1>A</h1><h6>B</h6>", "# A\n\n###### B"),
    ("<h2><b>A</b></h2>", "## A"),
    ("<h2>A #</h2>", "## A \\#"),
    ("<h2>A<br>B</h2>", "## A B"),
    ("<h2><div>A</div><div>B</div></h2>", "## A B"),
    ("<h2>A<p>one<p>two", "## A\n\none\n\ntwo"),
    ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
    ("a<div></div>b", "a\n\nb"),
    ("a<hr>b", "a\n\n---\n\nb"),
    (
        "<blockquote>a<blockquote>b<p>c</blockquote></blockquote>",
        "> a\n>\n> > b\n> >\n> > c",
    ),
    ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
    ("<dl><dt>T</dt><dd>one</dd><dd>two</dd></dl>", "**T**\n\n- one\n- two"),
    ("<dl><div><dt><b>T</b></dt><dd>x</dd></div></dl>", "**T**\n\n- x"),
    (
        "<figure><img src=i.png alt=A><figcaption>Cap</figcaption></figure>",
        "![A](https://example.org/news/i.png)\n\n*Cap*",
    ),
]


@pytest.mark.parametrize(("html", "expected"), BLOCKS)
def test_blocks(html: str, expected: str) -> None:
    assert markdown(html) == expected


LISTS = [
    ("<ul><li>a<li>b</ul>", "- a\n- b"),
    ("<ul><li><p>a</p></li><li><p>b</p></li></ul>", "- a\n- b"),
    ("<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"),
    ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
    ("<ul><ul><li>b</li></ul></ul>", "- - b"),
    ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
    ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
    ("<ol><li value=4>a<li>b</ol>", "4. a\n5. b"),
    ("<ol start=-3><li>a</ol>", "0. a"),
    ("<ol start=999999999999><li>a</ol>", "1. a"),
    ("<ul><li>a<p>b</p></li><li>c</ul>", "- a\n\n  b\n\n- c"),
    ("<ul><li>a<pre>x\n  y</pre></ul>", "- a\n\n  ```\n  x\n    y\n  ```"),
    ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
    ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
    ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
    ("<li>a<li>b", "- a\n- b"),
    ("<ul>a</ul>", "a"),
    ("<ul><li></li><li> </li><li>a</ul>", "- a"),
    ("<ul><li><hr>a</ul>", "- ___\n\n  a"),
    ("<ul><li><blockquote>a</blockquote></ul>", "- > a"),
]


@pytest.mark.parametrize(("html", "expected"), LISTS)
def test_lists(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_numbers_stay_when_items_are_left_out() -> None:
    tree = parse("<ol><li>a<li>b<li>c</ol>")
    chosen = tree.is_text & (tree.text != "a")
    assert to_markdown(tree, chosen) == "2. b\n3. c"


CODE = [
    ("<pre>  x\n\n\ty </pre>", "```\n  x\n\n\ty \n```"),
    ('<pre><code class="language-python">a</code></pre>', "```python\na\n```"),
    ('<pre class="lang-js">a</pre>', "```js\na\n```"),
    (
        '<div class="highlight highlight-source-c++"><pre>a</pre></div>',
        "```c++\na\n```",
    ),
    (
        '<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>',
        "```python\na\n```",
    ),
    ('<div class="highlight-default notranslate"><pre>a</pre></div>', "```\na\n```"),
    ('<pre data-lang="go">a</pre>', "```go\na\n```"),
    ("<pre>```\n`````</pre>", "``````\n```\n`````\n``````"),
    ("<pre>a<br>b<b>c</b></pre>", "```\na\nbc\n```"),
    ("<pre>\n\n  a\n\n</pre>", "```\n  a\n```"),
    (
        "<pre><table><tr><td>1</td><td>x</td></tr><tr><td>2</td><td>y</td></tr></table></pre>",
        "```\n1\tx\n2\ty\n```",
    ),
    (
        "<table><tr><td><pre>1\n2</pre></td><td><pre>a\n b</pre></td></tr></table>",
        "```\n1\n2\n```\n\n```\na\n b\n```",
    ),
]


@pytest.mark.parametrize(("html", "expected"), CODE)
def test_code(html: str, expected: str) -> None:
    assert markdown(html) == expected


SAFE = st.text("abc *_`#-+.|<>&[]()!~\\=1\"'\u4e2d", min_size=1, max_size=12).filter(
    lambda text: text.strip() != ""
)
LINE = st.text("ab \t`~*#-<>&|1.", max_size=8)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


@st.composite
def documents(draw: st.DrawFn, depth: int = 0) -> str:
    """Well-formed pages of every kind of block, nested in one another."""
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(
            st.sampled_from(
                ["p", "h1", "h3", "pre"]
                if depth > 2
                else ["p", "h2", "pre", "ul", "ol", "blockquote", "table"]
            )
        )
        if kind == "pre":
            lines = draw(st.lists(LINE, min_size=1, max_size=4))
            parts.append(f"<pre>x{escaped(chr(10).join(lines))}y</pre>")
        elif kind in ("ul", "ol"):
            items = draw(st.lists(documents(depth + 1), min_size=1, max_size=3))
            parts.append(
                f"<{kind}>{''.join(f'<li>{item}</li>' for item in items)}</{kind}>"
            )
        elif kind == "blockquote":
            parts.append(f"<blockquote>{draw(documents(depth + 1))}</blockquote>")
        elif kind == "table":
            rows = draw(st.lists(st.tuples(SAFE, SAFE), min_size=1, max_size=3))
            body = "".join(
                f"<tr><td>{escaped(a)}</td><td>{escaped(b)}</td></tr>" for a, b in rows
            )
            parts.append(f"<table><tr><th>k</th><th>v</th></tr>{body}</table>")
        else:
            parts.append(f"<{kind}>{escaped(draw(SAFE))}</{kind}>")
    return "".join(parts)


def structure(html: str) -> list[tuple[str, str]]:
    """Blocks in document order, each with its text: code to the letter, other text by
    words. Paragraphs of items are left out.
    """
    tree = parse(html)
    found = []
    for node in range(3, len(tree)):
        name = tree.name(node)
        if name in ("ul", "ol", "li", "blockquote", "table", "tr", "hr"):
            found.append((name, ""))
        elif name in ("h1", "h2", "h3", "pre", "td", "th", "p"):
            text = "".join(tree.text[node : tree.end[node]])
            found.append(
                (name, text.strip("\n") if name == "pre" else " ".join(text.split()))
            )
    return [(name, text) for name, text in found if name != "p"]


@settings(max_examples=100, deadline=None)
@given(documents())
def test_structure_comes_back(page: str) -> None:
    rendered = READER.render(markdown(page))
    assert words(rendered) == words(page)
    assert structure(rendered) == structure(page)


def test_deep_pages_are_bounded() -> None:
    for tag in (
        "ul><li",
        "blockquote",
        "div",
        "b",
        "ul",
        "dl><dd",
        "figure",
        "table><tr><td",
        "li><section",
    ):
        page = f"<{tag}>" * 240 + "text" + "<p>more"
        written = markdown(page)
        assert words(READER.render(written)) == ["text", "more"]
        assert len(written) < 1000
