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
from scythe.content.methods.learned.blocks import find_blocks
from scythe.content.methods.learned.method import nodes_of_selected, reference_nodes
from scythe.content.selection import Selection
from scythe.content.structures.headings import without_bare_headings
from scythe.core.library import is_built
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


@given(PIECES)
def test_selected_blocks_have_the_same_nodes(pieces: list[str]) -> None:
    tree = compiled_tree("".join(pieces))
    blocks = find_blocks(tree)
    for step in (1, 2, 3):
        selected = np.arange(len(blocks)) % step == 0
        nodes = nodes_of_selected(tree, blocks, selected)
        assert nodes.tolist() == reference_nodes(tree, blocks, selected).tolist()


def test_texts_below_a_node_are_as_long() -> None:
    tree = compiled_tree("<p>One <b>tw\u00f6</b></p><p>three</p><i></i>")
    chosen = np.arange(len(tree)) % 2 == 0
    length = tree.text_length(chosen)
    texts = [tree.text_below(node) for node in range(len(tree))]
    reference = as_reference(tree)
    assert length == reference.text_length(chosen)
    assert texts == [reference.text_below(node) for node in range(len(tree))]
