"""Headings: none without its section, one headline, levels in order."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scythe import extract
from scythe.content.selection import Selection
from scythe.tree import Tree
from scythe.tree.text import letters_and_digits
from scythe.tree.visibility import visible

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PROSE = (
    "The college in the next valley has counted what the work takes: a practised "
    "mower cuts about a third of a hectare in a day, and less when it rains."
)
OTHER = (
    "A small combine does that in twenty minutes, but it has to come up the road "
    "first, and the road is closed for most of the winter."
)


def select_all(tree: Tree) -> Selection:
    """Select all that a reader sees, but what is marked as left out."""
    left_out = np.zeros(len(tree), dtype=bool)
    for node in tree.with_attribute("class"):
        left_out[node] = True
    return Selection(visible(tree) & ~tree.below(left_out), confidence=1.0)


def markdown(body: str, title: str = "") -> str:
    head = f"<title>{title}</title>" if title else ""
    return extract(f"<head>{head}</head><body>{body}", method=select_all).markdown


def headings(text: str) -> list[tuple[int, str]]:
    """The headings of Markdown as a reader of it sees them."""
    tokens = READER.parse(text)
    found = []
    for token, content in itertools.pairwise(tokens):
        if token.type == "heading_open":
            found.append((int(token.tag[1]), content.content))
    return found


def test_a_heading_goes_with_its_section() -> None:
    body = f"<h2>Kept</h2><p>{PROSE}</p><h2>Related</h2><p class=x>{OTHER}</p>"
    assert headings(markdown(body)) == [(2, "Kept")]
    assert "Related" not in extract(body, method=select_all).text


def test_a_heading_over_deeper_headings_with_text_stays() -> None:
    body = f"<h2>Part</h2><h3>Chapter</h3><p>{PROSE}</p>"
    assert headings(markdown(body)) == [(2, "Part"), (3, "Chapter")]


def test_a_heading_over_a_picture_stays() -> None:
    body = f"<p>{PROSE}</p><h2>Map</h2><img src=a.jpg>"
    assert headings(markdown(body)) == [(2, "Map")]


def test_entries_of_a_list_are_lines() -> None:
    cards = [f"<div><h3><a href=/{name}>{name}</a></h3></div>" for name in "ABC"]
    written = markdown(f"<p>{PROSE}</p>{''.join(cards)}")
    assert headings(written) == []
    assert "**[A](/A)**\n\n**[B](/B)**\n\n**[C](/C)**" in written


TITLE = "The price of barley"
BODIES = [
    f"<p>{PROSE}</p>",
    f"<h1>{TITLE}</h1><p>{PROSE}</p>",
    f"<h2>{TITLE}</h2><p>{PROSE}</p>",
    f"<h1>The  price\n of <b>barley</b></h1><p>{PROSE}</p>",
    f"<p>{TITLE}</p><p>{PROSE}</p>",
    f"<p>“{TITLE}”</p><p>By Ann</p><h1>{TITLE}</h1><p>{PROSE}</p>",
    f"<h1>{TITLE}</h1><p>{PROSE}</p><h1>{TITLE}</h1><p>{OTHER}</p>",
    f"<h1>{TITLE}</h1><h1>Costs</h1><p>{PROSE}</p><h2>Seed</h2><p>{OTHER}</p>",
    f"<table><tr><td><h1>{TITLE}</h1></td></tr><tr><td><p>{PROSE}</p><p>x</p></td></tr></table>",
    f"<ul><li><h1>{TITLE}</h1><p>{PROSE}</p></li></ul>",
]


@pytest.mark.parametrize("body", BODIES)
def test_the_headline_stands_once(body: str) -> None:
    written = markdown(body, TITLE)
    assert written.startswith(f"# {TITLE}\n\n")
    assert sum(level == 1 for level, _ in headings(written)) == 1
    assert written.count(TITLE) == 1


def test_other_headings_follow_in_order() -> None:
    written = markdown(BODIES[7], TITLE)
    assert headings(written) == [(1, TITLE), (2, "Costs"), (3, "Seed")]
    body = f"<h4>Costs</h4><p>{PROSE}</p><h5>Seed</h5><p>{OTHER}</p>"
    assert headings(markdown(body, TITLE))[1:] == [(2, "Costs"), (3, "Seed")]


def test_html_has_the_headline_and_plain_text_has_not() -> None:
    page = f"<title>{TITLE}</title><p>{PROSE}</p>"
    document = extract(page, method=select_all)
    assert document.html.startswith(f"<h1>{TITLE}</h1>\n")
    assert document.text == PROSE


def test_a_line_in_the_text_that_has_the_words_of_the_title_stays() -> None:
    written = markdown(f"<p>{PROSE}</p><p>{TITLE}</p><p>{OTHER}</p>", TITLE)
    assert written.count(TITLE) == 2


def test_no_headline_without_content() -> None:
    assert markdown("<script>x</script>", TITLE) == ""


TITLES = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1
)
TAGS = ("h1", "h2", "h3", "p", "li", "td", "blockquote", "div", "pre", "figcaption")
WORDS = st.sampled_from(
    ["", "text", PROSE, "# no", "- no", "|", "TITLE", " TITLE ", "“TITLE”"]
)
BLOCKS = st.lists(st.tuples(st.sampled_from(TAGS), WORDS), max_size=8)


@settings(max_examples=100, deadline=None)
@given(TITLES, BLOCKS)
def test_one_heading_of_the_first_level_and_it_is_the_title(
    title: str, blocks: list[tuple[str, str]]
) -> None:
    escaped = title.replace("&", "&amp;").replace("<", "&lt;")
    parts = [f"<{tag}>{text}</{tag}>" for tag, text in blocks]
    body = "".join(parts).replace("TITLE", escaped)
    page = f"<head><title>{escaped}</title></head><body>{body}"
    document = extract(page, method=select_all)
    top = [text for level, text in headings(document.markdown) if level == 1]
    if not document.markdown:
        assert not document.text
    elif document.title:
        [headline] = top
        assert letters_and_digits(headline) == letters_and_digits(document.title)
        assert document.html.count("<h1>") == 1
