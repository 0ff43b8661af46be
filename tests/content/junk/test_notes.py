"""Lines between paragraphs that are no content."""

from __future__ import annotations

import numpy as np
import pytest

import scythe
from scythe.content.selection import Selection

STORY = "<p>They cut the barley at dawn.</p>{}<p>They rested at noon.</p>"
LINES = ["They cut the barley at dawn.", "They rested at noon."]


def lines_of(between: str) -> list[str]:
    """Return the lines of a page that is selected as a whole."""

    def select_all(tree: scythe.Tree) -> Selection:
        return Selection(np.ones(len(tree), dtype=bool), confidence=1.0)

    document = scythe.extract(STORY.format(between), method=select_all)
    return document.text.splitlines()


@pytest.mark.parametrize(
    "note",
    [
        "<div>ADVERTISEMENT</div>",
        "<p>(Story continues below)</p>",
        "<p><b>Anzeige</b></p>",
        "<div>Reklama</div>",
        "<div><a role=button>Click to expand…</a></div>",
        "<p>Copyright 2009 The Courier. All rights reserved. Do not copy this.</p>",
        "<p>This appears in the {{article.magazine.date}} issue.</p>",
    ],
)
def test_notes_are_left_out(note: str) -> None:
    assert lines_of(note) == LINES


@pytest.mark.parametrize(
    "text",
    [
        "Advertisement pays for this.",
        "Click to expand the map.",
        "The word Reklama is of Latin origin.",
        "Write {{ and }} around it.",
        "Copyright law is about barley too.",
    ],
)
def test_sentences_stay(text: str) -> None:
    assert text in lines_of(f"<p>{text}</p>")


def test_templates_shown_as_code_stay() -> None:
    assert "{{ user.name }}" in lines_of("<pre>{{ user.name }}</pre>")
