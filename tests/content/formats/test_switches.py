"""Output switches: each changes how the content is written, none which words it has."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from rendering import PAGE_URL, READER, Selected, chosen_words, selections, words

import scythe
from scythe.content.formats.front_matter import to_front_matter
from scythe.content.formats.html import to_html
from scythe.content.formats.markdown import to_markdown
from scythe.content.metadata import Metadata
from scythe.content.metadata.metadata import FIELDS
from scythe.content.options import ExtractOptions
from scythe.content.selection import Selection
from scythe.errors import UsageError
from scythe.tree.visibility import visible

PAGE = """
<html lang=en><title>Barley prices</title><body><h1>Barley prices</h1>
<p>The <a href="/market">market</a> opened late! See <a href="/market">it</a>
and <b><a href="/crop">the crop</a></b>(again).</p>
<figure><img src="field.jpg" alt="A field"><figcaption>The field.</figcaption></figure>
<table><tr><th>Year</th><th>Price</th></tr><tr><td>2023</td><td>190</td></tr>
<tr><td>2024</td><td>205</td></tr></table>
"""
WRITTEN = st.builds(
    ExtractOptions,
    links=st.sampled_from(["inline", "footnotes", "none"]),
    images=st.booleans(),
    tables=st.sampled_from(["grid", "rows"]),
)
NOTE_IN_MARKDOWN = re.compile(r'<a href="[^"]*">\^\d+</a>')
NOTE_IN_HTML = re.compile(r'<sup><a href="#note-\d+">\d+</a></sup>')
NOTE_LIST = re.compile(r'<ol>\n(?:<li id="note-\d+">.*\n)+</ol>$')


def without_bars(page_words: list[str]) -> list[str]:
    """Words without the bars that stand between the cells of a row."""
    return [word for word in page_words if word != "|"]


@settings(max_examples=150, deadline=None)
@given(selections(), WRITTEN)
def test_no_switch_changes_the_words_of_markdown(
    selected: Selected, options: ExtractOptions
) -> None:
    tree, nodes = selected
    shown = READER.render(to_markdown(tree, nodes, PAGE_URL, options))
    shown = NOTE_IN_MARKDOWN.sub("", shown)
    expected = chosen_words(tree, nodes)
    assert without_bars(words(shown)) == without_bars(expected)


@settings(max_examples=100, deadline=None)
@given(selections(), WRITTEN)
def test_no_switch_changes_the_words_of_html(
    selected: Selected, options: ExtractOptions
) -> None:
    tree, nodes = selected
    shown = NOTE_LIST.sub("", to_html(tree, nodes, PAGE_URL, options))
    shown = NOTE_IN_HTML.sub("", shown)
    expected = chosen_words(tree, nodes)
    assert without_bars(words(shown)) == without_bars(expected)


def extract(**options: object) -> scythe.Document:
    def everything(tree: scythe.Tree) -> Selection:
        return Selection(visible(tree), confidence=1.0)

    chosen = ExtractOptions(**options)  # type: ignore[arg-type]
    return scythe.extract(PAGE, PAGE_URL, everything, options=chosen)


def test_links_without_addresses() -> None:
    document = extract(links="none")
    assert "The market opened late!" in document.markdown
    assert "example.org/market" not in document.markdown + document.html
    assert "**the crop**" in document.markdown


def test_links_as_footnotes_have_one_number_an_address() -> None:
    document = extract(links="footnotes")
    assert "The market[^1] opened late! See it[^1]" in document.markdown
    assert document.markdown.endswith(
        "[^1]: https://example.org/market\n[^2]: https://example.org/crop"
    )
    assert '<sup><a href="#note-2">2</a></sup>' in document.html
    assert '<li id="note-1"><a href="https://example.org/market">' in document.html


def test_a_bracket_behind_a_footnote_makes_no_link() -> None:
    shown = READER.render(extract(links="footnotes").markdown)
    assert "(again)" in shown


def test_pictures_go_with_their_captions() -> None:
    document = extract(images=False)
    assert "field.jpg" not in document.markdown + document.html
    assert "The field." not in document.markdown + document.html


def test_rows_of_a_table_are_lines() -> None:
    document = extract(tables="rows")
    assert "Year | Price\n\n2023 | 190\n\n2024 | 205" in document.markdown
    assert "<p>2023 | 190</p>" in document.html


def test_plain_text_is_the_same_whatever_the_switches() -> None:
    plain = extract().text
    switched = extract(
        links="footnotes", images=False, tables="rows", front_matter=True
    )
    assert switched.text == plain


def test_markdown_begins_with_the_front_matter() -> None:
    document = extract(front_matter=True)
    front, _, content = document.markdown.partition("\n---\n\n")
    fields = yaml.safe_load(front.removeprefix("---\n"))
    assert fields["title"] == "Barley prices"
    assert fields["language"] == "en"
    assert fields["url"] == PAGE_URL
    assert content == extract().markdown


@settings(max_examples=200, deadline=None)
@given(st.fixed_dictionaries({name: st.text() for name in FIELDS}))
def test_front_matter_reads_back_as_it_was(values: dict[str, str]) -> None:
    front = to_front_matter(replace(Metadata(), **values))  # type: ignore[arg-type]
    read = yaml.safe_load(front.strip("-\n")) or {}
    assert read == {name: value for name, value in values.items() if value}


def test_what_no_option_takes_is_refused() -> None:
    with pytest.raises(
        UsageError, match="Choose one of: 'inline', 'footnotes', 'none'"
    ):
        replace(ExtractOptions(), links="reference")  # type: ignore[arg-type]
