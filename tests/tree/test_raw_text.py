"""Pages that an element without an end would swallow."""

from __future__ import annotations

import pytest

from scythe.tree import parse
from scythe.tree.text import visible_text

BODY = "<div><p>Eleven people stand in a row.</p><p>Nobody speaks.</p></div>" * 5


@pytest.mark.parametrize(
    "before",
    [
        '<body><noscript><iframe src="https://tags.example/ns"/></noscript>',
        '<body><noscript><IFRAME src="https://tags.example/ns" /></noscript>',
        "<head><title>The old barley fields</head><body>",
        "<head><title/></head><body>",
        "<head><title>The old fields</titl" + '<meta name="a"></head><body>',
    ],
)
def test_the_page_behind_an_unclosed_element_is_read(before: str) -> None:
    tree = parse(f"<html>{before}{BODY}</body></html>")
    assert "Eleven people stand in a row." in visible_text(tree)
    assert tree.cut == ()


@pytest.mark.parametrize(
    "html",
    [
        f"<textarea>{BODY}</textarea><p>Paste it into your page.</p>",
        f"<iframe srcdoc='x'>{BODY}</iframe><p>Your browser shows no frames.</p>",
    ],
)
def test_markup_that_is_shown_as_text_stays_text(html: str) -> None:
    assert "Nobody speaks" not in visible_text(parse(html))
