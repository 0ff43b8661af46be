"""With and without the compiled core: the same texts, visible nodes, words and signs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.content.junk import without_junk
from scythe.content.methods.econ import sentence_counts
from scythe.core.library import is_built
from scythe.tree.compiled.signs import SignGroups, TextSigns
from scythe.tree.compiled.trees import block_of
from scythe.tree.parse import parse
from scythe.tree.tags import TagSet
from scythe.tree.text import one_line, plain_text
from scythe.tree.tree import Tree
from scythe.tree.visibility import visible, visible_lengths

pytestmark = pytest.mark.skipif(not is_built(), reason="the compiled core is not built")

TEXTS = st.lists(
    st.text("aA.,1 \n\t\u00a0\u3000\u212a\u0130\u00df\U0001f517[]#", max_size=12),
    max_size=12,
)
WORDS = ("ab", "b-", "icon", "k")


def both(html: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Tree, Tree]:
    monkeypatch.setenv("SCYTHE_CORE", "1")
    compiled = parse(html)
    assert block_of(compiled) is not None
    monkeypatch.setenv("SCYTHE_CORE", "0")
    return compiled, parse(html)


def assert_same_texts(html: str) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        compiled, reference = both(html, monkeypatch)
    nodes = np.flatnonzero(reference.is_text)
    assert compiled.texts(nodes) == reference.texts(nodes)
    assert compiled.texts(nodes[::5]) == reference.texts(nodes[::5])
    assert visible(compiled).tolist() == visible(reference).tolist()
    assert visible_lengths(compiled).tolist() == visible_lengths(reference).tolist()
    chosen = np.arange(len(reference)) % 3 != 1
    assert plain_text(compiled, chosen) == plain_text(reference, chosen)
    assert one_line(compiled, chosen) == one_line(reference, chosen)
    tags = TagSet("b i p title")
    long = [tree.long_texts(tags, 2) for tree in (compiled, reference)]
    assert long[0] == long[1]
    for one, other in zip(
        sentence_counts(compiled, chosen),
        sentence_counts(reference, chosen),
        strict=True,
    ):
        assert one.tolist() == other.tolist()
    for name in ("class", "id", "style"):
        assert compiled.with_words(name, WORDS) == reference.with_words(name, WORDS)
    assert compiled.texts_with("a", nodes) == reference.texts_with("a", nodes)
    kept = [without_junk(tree, tree.is_text)[1] for tree in (compiled, reference)]
    assert kept[0].tolist() == kept[1].tolist()


@given(pages)
def test_any_page_is_read_the_same(html: str) -> None:
    assert_same_texts(html)


@given(TEXTS)
def test_any_text_is_read_the_same(texts: list[str]) -> None:
    paragraphs = [
        f"<p class='{text}' hidden>{text}<br><b style='display:none'>{text}</b></p>"
        for text in texts
    ]
    assert_same_texts("<pre>\n a </pre>" + "".join(paragraphs[::-1] + paragraphs))


@given(TEXTS)
def test_copies_of_blocks_are_the_same_ones(texts: list[str]) -> None:
    blocks = [f"<div>{text * 20}<b>{text}</b></div>" for text in [*texts, *texts[:3]]]
    html = "".join(blocks) + f"<blockquote>{blocks[0] if blocks else ''}</blockquote>"
    with pytest.MonkeyPatch.context() as monkeypatch:
        trees = both(html, monkeypatch)
    kept = [without_junk(tree, tree.is_text)[1].tolist() for tree in trees]
    assert kept[0] == kept[1]


@pytest.mark.parametrize("folds", [True, False])
def test_signs_are_found_in_texts(folds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    tree, reference = both("<p>Kommentar <b>[x]</b></p><p>\u212aelvin</p>", monkeypatch)
    signs = TextSigns(SignGroups(folds=folds), tree, tree.is_text)
    assert signs.has_any(("kommentar",)) is folds
    assert signs.has_any(("[", "#"))
    assert signs.has_any(("\u212a",)) is not folds
    assert signs.has_any((b"\xe2\x84",)) is not folds
    assert not signs.has_any(("y", "qq"))
    unknown = TextSigns(SignGroups(folds=folds), reference, reference.is_text)
    assert unknown.has_any(("[",)) is None
