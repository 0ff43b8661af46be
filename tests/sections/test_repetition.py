"""What repeats on a page, and what that says about each of its texts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scythe.sections.repetition import Repetition
from scythe.sections.repetition_features import NAMES, repetition_rows
from scythe.tree import Tree, parse

POST = (
    '<li class="post-{n}"><a href="/u/{n}">User {n}</a><time>{n} May</time>'
    "<div><p>The {n}th answer says something of its own, at length.</p></div>"
    "<button>Reply</button></li>"
)
POSTS = "".join(POST.format(n=number) for number in range(1, 7))
PAGE = f"""
<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Boards</a></li></ul></nav>
<h1>Why do my tomatoes split?</h1><ol>{POSTS}</ol><footer>Imprint and terms</footer>
"""


def texts_of(tree: Tree) -> np.ndarray:
    filled = [bool(text.strip()) for text in tree.text.tolist()]
    return np.flatnonzero(np.array(filled) & tree.is_text)


def word_counts(tree: Tree, nodes: np.ndarray) -> np.ndarray:
    return np.array([len(text.split()) for text in tree.text[nodes].tolist()])


def described(html: str) -> dict[str, dict[str, float]]:
    """Return the features of each text of a page by the text."""
    tree = parse(html)
    nodes = texts_of(tree)
    rows = repetition_rows(tree, nodes, word_counts(tree, nodes))
    columns = rows.T.tolist()
    texts = [text.strip() for text in tree.text[nodes].tolist()]
    described = [dict(zip(NAMES, column, strict=True)) for column in columns]
    return dict(zip(texts, described, strict=True))


def test_the_posts_of_a_thread_are_the_main_section() -> None:
    tree = parse(PAGE)
    nodes = texts_of(tree)
    page = Repetition(tree, nodes, word_counts(tree, nodes))
    members = page.member_nodes(page.main_group)
    classes = tree.attribute_values("class", members.tolist())
    assert classes == [f"post-{number}" for number in range(1, 7)]


def test_every_text_knows_its_record_and_what_stands_at_its_path() -> None:
    texts = described(PAGE)
    body = texts["The 3th answer says something of its own, at length."]
    assert body["is in the main section"] == 1
    assert body["same path share"] == 1
    assert body["same path words to most"] == 1
    assert body["same path distinct texts"] == 1
    assert body["records before"] == 2
    assert body["records after"] == 3

    button = texts["Reply"]
    assert button["same path distinct texts"] < 0.2
    assert button["same path words to most"] < 0.2
    assert texts["User 1"]["same path links"] == 1


def test_texts_around_the_section_know_that_they_are_around_it() -> None:
    texts = described(PAGE)
    assert texts["Home"]["words before main"] > texts["Boards"]["words before main"]
    assert texts["Imprint and terms"]["words after main"] > 0
    assert texts["Why do my tomatoes split?"]["is in the main section"] == 0


def test_a_page_in_which_nothing_repeats_is_described_by_zeros() -> None:
    texts = described("<h1>One</h1><p>Two words</p>")
    assert not any(texts["One"].values())


@given(st.lists(st.sampled_from(["<div class=a>", "</div>", "<p>x", "<li>", "y z"])))
def test_any_page_has_finite_features(parts: list[str]) -> None:
    tree = parse("".join(parts))
    nodes = texts_of(tree)
    rows = repetition_rows(tree, nodes, word_counts(tree, nodes))
    assert rows.shape == (len(NAMES), len(nodes))
    assert np.isfinite(rows).all()
