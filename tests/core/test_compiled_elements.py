"""With and without the compiled core: the same names, paths and texts of elements, and so
the same pages for templates and clusters.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.core.library import is_built
from scythe.templates.clusters.sketch import path_hashes, position_hashes
from scythe.templates.matching.page_view import PageView
from scythe.tree.compiled.element_names import element_names
from scythe.tree.compiled.trees import block_of
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

pytestmark = pytest.mark.skipif(not is_built(), reason="the compiled core is not built")

VALUES = st.text("ab1 -_\u00e9\u3000\U0001f517", max_size=6)
ELEMENTS = st.lists(
    st.tuples(st.sampled_from(["p", "b", "x-y", "li"]), VALUES, VALUES), max_size=12
)


def both(html: str) -> tuple[Tree, Tree]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SCYTHE_CORE", "1")
        compiled = parse(html)
        assert block_of(compiled) is not None
        monkeypatch.setenv("SCYTHE_CORE", "0")
        return compiled, parse(html)


def view_of(tree: Tree, core: str) -> PageView:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SCYTHE_CORE", core)
        view = PageView(tree)
        assert view.hashes
        return view


def assert_same_elements(html: str) -> None:
    compiled, reference = both(html)
    names = [element_names(tree) for tree in (compiled, reference)]
    assert names[0].numbers.tolist() == names[1].numbers.tolist()
    assert names[0].names == names[1].names

    views = [view_of(compiled, "1"), view_of(reference, "0")]
    assert views[0].labels == views[1].labels
    assert views[0].texts == views[1].texts
    assert views[0].tree_nodes == views[1].tree_nodes
    assert views[0].ends == views[1].ends
    assert views[0].text_labels == views[1].text_labels
    assert views[0].text_forms == views[1].text_forms
    assert views[0].links == views[1].links
    assert views[0].images == views[1].images
    assert views[0].hashes == views[1].hashes
    assert path_hashes(compiled).tolist() == path_hashes(reference).tolist()
    elements = np.flatnonzero(~reference.is_text)
    positions = [position_hashes(tree, elements) for tree in (compiled, reference)]
    assert positions[0].tolist() == positions[1].tolist()


@given(pages)
def test_any_page_has_the_same_elements(html: str) -> None:
    assert_same_elements(html)


@given(ELEMENTS)
def test_any_names_are_the_same(elements: list[tuple[str, str, str]]) -> None:
    parts = [
        f'<{tag} id="{identity}" class="{classes}">a \u00a0 b{identity}</{tag}> <i>'
        for tag, identity, classes in elements
    ]
    assert_same_elements("".join(parts))


TEXTS = st.lists(
    st.text("a1:_\u00e9\u0661\u3000\uff1a/ .,(\u2605%", max_size=12), max_size=8
)


@given(TEXTS)
def test_any_texts_are_the_same(texts: list[str]) -> None:
    runs_on = "".join(f"{text}<i>{text}</i> <a href=' {text} '>" for text in texts)
    paragraphs = [f"<p>{text}</p><img src='{text}'>" for text in texts]
    padding = "Prep time: 5 min, " * 4
    assert_same_elements(f"<div>{padding}{runs_on}</div>{''.join(paragraphs)}")


def test_elements_of_one_name_share_a_number() -> None:
    tree = parse("<body><p class=a>1<p class=a>2<p>3<p class=''>4<p id=a>5")
    names = element_names(tree)
    paragraphs = [node for node in range(len(tree)) if tree.name(node) == "p"]
    first, second, bare, without_class, last = [
        int(names.numbers[node]) for node in paragraphs
    ]
    assert first == second
    assert bare == without_class
    assert [names.names[number] for number in (first, bare, last)] == [
        ("p", "", "a"),
        ("p", "", ""),
        ("p", "a", ""),
    ]
