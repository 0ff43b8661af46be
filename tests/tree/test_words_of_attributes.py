"""Nodes are found by words of their attributes, in one search of the page."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.tree.parse import parse
from scythe.tree.tags import TagSet
from scythe.tree.tree import Tree, once_per_tree
from scythe.tree.visibility import visible

VALUES = st.lists(
    st.text("aAbB-_ \u0130\u03a3\u212a\n", min_size=1, max_size=8), max_size=12
)


@given(VALUES)
def test_words_are_found_in_any_case_in_the_elements_that_have_them(
    values: list[str],
) -> None:
    page = "".join(f'<p class="{value}">x</p>' for value in values)
    tree = parse(page)
    expected = {
        node: value
        for node, value in tree.with_attribute("class").items()
        if "ab" in value.lower() or "b-" in value.lower()
    }
    assert tree.with_words("class", ("ab", "b-")) == expected


def test_elements_of_templates_are_not_of_the_page() -> None:
    tree = parse(
        '<template><p class="comment">x</p></template><p class="my-Comment">y</p>'
    )
    (found,) = tree.with_words("class", ("comment",)).items()
    assert tree.name(found[0]) == "p"
    assert found[1] == "my-Comment"


def test_page_says_which_tags_it_has() -> None:
    tree = parse("<p>one</p><my-tag>two</my-tag>")
    assert tree.has_any(TagSet("p pre"))
    assert not tree.has_any(TagSet("pre td"))


def test_texts_change_in_a_copy_and_attributes_stay() -> None:
    tree = parse('<p class="a">one</p><p hidden>two</p>')
    nodes = np.flatnonzero(tree.is_text)
    changed = tree.with_texts(nodes, ["three", "four"])
    assert tree.text[nodes].tolist() == ["one", "two"]
    assert changed.text[nodes].tolist() == ["three", "four"]
    assert changed.with_attribute("class") == tree.with_attribute("class")
    assert visible(changed).tolist() == visible(tree).tolist()


def test_what_steps_share_is_computed_once_and_cannot_be_written_to() -> None:
    asked = []

    @once_per_tree
    def sizes(tree: Tree) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        asked.append(tree)
        return tree.end - tree.starts

    tree = parse("<p>one</p>")
    assert sizes(tree) is sizes(tree)
    assert asked == [tree]
    with pytest.raises(ValueError, match="read-only"):
        sizes(tree)[0] = 1
