"""With and without the compiled core: the same content by ECON, the same headings
without their section.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.content.methods.econ import econ, reference_econ
from scythe.content.selection import Selection
from scythe.content.structures.comments import find_comments
from scythe.content.structures.headings import without_bare_headings
from scythe.content.whole import with_whole_structures
from scythe.core.library import is_built
from scythe.sections.posts.texts import (
    MAX_DATE,
    class_numbers,
    reference_texts,
    thread_texts,
)
from scythe.tree.compiled.trees import block_of
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

pytestmark = pytest.mark.skipif(not is_built(), reason="the compiled core is not built")

PIECES = st.lists(
    st.sampled_from(
        [
            *("<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<a href=#>", "</a>"),
            *("<h1>", "<h2>", "</h2>", "<h3>", "</h3>", "<br>", "<img src=a>", "<li>"),
            *("One, two. ", "Three words here", "1.5", "<script>a, b.</script>", " "),
            "A sentence, which is as long as a section must be, and a little more.",
        ]
    ),
    max_size=30,
)


def compiled_tree(html: str) -> Tree:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SCYTHE_CORE", "1")
        tree = parse(html)
    assert block_of(tree) is not None
    return tree


def as_reference(tree: Tree) -> Tree:
    """Return the same tree, of which the core knows nothing."""
    plain = Tree(tree.tag, tree.parent, tree.end, tree.depth, tree.text, tree.source)
    changed = replace(plain, parent=tree.parent.copy())
    assert block_of(changed) is None
    return changed


def assert_same_content(html: str) -> None:
    tree = compiled_tree(html)
    reference = reference_econ(as_reference(tree))
    assert econ(tree).nodes.tolist() == reference.nodes.tolist()
    assert econ(tree).confidence == reference.confidence


def assert_same_headings(html: str) -> None:
    tree = compiled_tree(html)
    for step in (1, 2, 3):
        selection = Selection(np.arange(len(tree)) % step == 0, confidence=1.0)
        kept = without_bare_headings(tree, selection)
        reference = without_bare_headings(as_reference(tree), selection)
        assert kept.nodes.tolist() == reference.nodes.tolist()


@given(pages)
def test_any_page_has_the_same_content(html: str) -> None:
    assert_same_content(html)
    assert_same_headings(html)


@given(PIECES)
def test_sentences_make_the_same_content(pieces: list[str]) -> None:
    assert_same_content("".join(pieces))


@given(PIECES)
def test_the_same_headings_have_lost_their_section(pieces: list[str]) -> None:
    assert_same_headings("".join(pieces))


def test_texts_below_a_node_are_as_long() -> None:
    tree = compiled_tree("<p>One <b>tw\u00f6</b></p><p>three</p><i></i>")
    chosen = np.arange(len(tree)) % 2 == 0
    length = tree.text_length(chosen)
    texts = [tree.text_below(node) for node in range(len(tree))]
    reference = as_reference(tree)
    assert length == reference.text_length(chosen)
    assert texts == [reference.text_below(node) for node in range(len(tree))]


FIGURES = st.lists(
    st.sampled_from(
        [
            *("<figure>", "</figure>", "<figcaption>", "</figcaption>", "<img src=a>"),
            *("<div>", "</div>", "<p class=wp-Caption>", "</p>", "<a href=#>", "</a>"),
            *("<h1>", "</h1>", "<h2>", "</h2>", "<table>", "</table>", "<p hidden>"),
            *("<img width=1 src=spacer.gif>", "<iframe></iframe>", "A caption. ", " "),
            "A sentence, which is as long as running text must be, and a little more.",
        ]
    ),
    max_size=30,
)
WORDS = st.lists(
    st.sampled_from(
        [
            *(
                "<p class='post-12 a'>",
                "<p class=post_3>",
                "<b class='\u2003x'>",
                "</b>",
            ),
            *(
                "3 May 2024",
                "2 days ago",
                "gestern",
                "\u4eca\u5929",
                "\u0663",
                "a b\u3000c",
            ),
            *(
                "<h3>",
                "</h3>",
                "12 Comments",
                "COM<i>MENTS</i>",
                "\u8bc4\u8bba",
                " ",
                "x" * 90,
            ),
        ]
    ),
    max_size=25,
)


@given(FIGURES)
def test_figures_and_headings_are_whole_in_the_same_way(pieces: list[str]) -> None:
    tree = compiled_tree("".join(pieces))
    reference = as_reference(tree)
    for step in (1, 2, 3):
        selection = Selection(np.arange(len(tree)) % step == 0, confidence=1.0)
        whole = with_whole_structures(tree, selection)
        expected = with_whole_structures(reference, selection)
        texts = whole.with_same_text.text_nodes & tree.is_text
        assert texts.tolist() == (expected.text_nodes & tree.is_text).tolist()
        assert whole.nodes.tolist() == expected.nodes.tolist()
        assert whole.text_nodes.tolist() == expected.text_nodes.tolist()


@given(WORDS)
def test_threads_and_comments_are_read_the_same(pieces: list[str]) -> None:
    tree = compiled_tree("".join(pieces))
    reference = as_reference(tree)
    is_read = np.arange(len(tree)) % 7 != 5
    found = thread_texts(tree, is_read)
    expected = reference_texts(reference, is_read)
    assert found.nodes.tolist() == expected.nodes.tolist()
    assert found.words.tolist() == expected.words.tolist()
    for text, may_be_date in zip(
        tree.texts(found.nodes), found.may_be_dates.tolist(), strict=True
    ):
        has_digit = any(map(str.isdigit, text))
        assert may_be_date or not has_digit or len(text.strip()) > MAX_DATE
    numbers = class_numbers(tree)
    alike = class_numbers(reference)
    pairs = set(zip(numbers.tolist(), alike.tolist(), strict=True))
    assert len(pairs) == len(set(numbers.tolist())) == len(set(alike.tolist()))
    assert find_comments(tree).tolist() == find_comments(reference).tolist()
