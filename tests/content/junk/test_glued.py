"""Words that only a style sheet holds apart."""

from __future__ import annotations

import numpy as np
import pytest

import scythe
from scythe.content.selection import Selection

FILM = "<span class=y>2026</span><span class=l>1h 54m</span><span class=r>PG</span>"


def select_all(tree: scythe.Tree) -> Selection:
    return Selection(np.ones(len(tree), dtype=bool), confidence=1.0)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (FILM, "2026 1h 54m PG"),
        ("<b>YETI</b><a href=/r>Rambler</a>", "YETI Rambler"),
        ("<b>trend</b><i>s</i> of the year", "trends of the year"),
        ("<b>H</b><b>E</b><b>Y</b> you", "HEY you"),
        ("<code><span>get</span><span>Item</span></code> it", "getItem it"),
        ("H<sub>2</sub>O", "H2O"),
        ("<label>Name<input></label><label>Town<input></label>", "Name Town"),
        ("<b>汉字</b><b>文章</b>", "汉字文章"),
    ],
)
def test_neighbours_without_a_space(html: str, text: str) -> None:
    document = scythe.extract(f"<p>{html}</p>", method=select_all)
    assert document.text == text


def test_markdown_has_the_space_too() -> None:
    assert (
        "2026 1h 54m PG" in scythe.extract(f"<p>{FILM}</p>", method=select_all).markdown
    )
