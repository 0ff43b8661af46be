"""What was left out of a page, and why."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import scythe
from markup import pages
from scythe.content.dropped import DropReason, find_dropped
from scythe.content.selection import Selection
from scythe.tree.visibility import skipped

PAGE = """
<html><body class="header-fixed"><header><a href=/>The Courier</a></header>
<nav><a href=/a>News</a> <a href=/b>Sport</a></nav>
<main><article><h1>Barley</h1><p class=keep>The harvest was late this year.</p>
<div class="social-share">Share on everything</div>
<p class=keep>The mills are waiting.</p><p>An aside that nobody names.</p>
<div style="display: none">You cannot see me</div></article>
<div id=comments><h2>2 comments</h2><p>Nice.</p></div>
<div class="relatedPosts"><a href=/c>Oats</a></div></main>
<div class=ad-slot>Buy a scythe</div><div><a href=/d>More</a> <a href=/e>Links</a></div>
<div class="cookie-consent">We use cookies.</div>
<footer>Imprint</footer><script>var x = "not text"</script></body></html>
"""


def dropped(html: str) -> list[tuple[str, str]]:
    """Reasons and texts where paragraphs of the class `keep` are selected."""

    def select(tree: scythe.Tree) -> Selection:
        kept = np.zeros(len(tree), dtype=bool)
        for node, value in tree.with_attribute("class").items():
            kept[node] = value == "keep"
        return Selection(tree.below(kept) & tree.is_text, confidence=1.0)

    document = scythe.extract(html, method=select)
    return [(str(region.reason), region.text) for region in document.dropped]


def test_every_region_has_the_reason_that_its_markup_gives() -> None:
    assert dropped(PAGE) == [
        ("header", "The Courier"),
        ("navigation", "News Sport"),
        ("other", "Barley"),
        ("sharing", "Share on everything"),
        ("other", "An aside that nobody names."),
        ("hidden", "You cannot see me"),
        ("comments", "2 comments Nice."),
        ("related links", "Oats"),
        ("advertisement", "Buy a scythe"),
        ("links", "More Links"),
        ("cookie notice", "We use cookies."),
        ("footer", "Imprint"),
    ]


def test_a_region_says_where_it_is_and_how_long() -> None:
    tree = scythe.parse("<body><p>one two</p><nav>three</nav></body>")
    (region,) = find_dropped(tree, tree.subtree(3))
    assert region.to_dict() == {
        "reason": "navigation",
        "words": 1,
        "text": "three",
        "path": "/html/body/nav",
    }


def test_json_lists_what_was_left_out_when_asked() -> None:
    options = scythe.ExtractOptions(dropped=True)
    values = scythe.extract(PAGE, options=options).to_dict()
    assert "footer" in [region["reason"] for region in values["dropped"]]
    assert "dropped" not in scythe.extract(PAGE).to_dict()


@settings(max_examples=100, deadline=None)
@given(pages, st.randoms(use_true_random=False))
def test_all_text_is_selected_or_dropped_once(html: str, random: object) -> None:
    tree = scythe.parse(html)
    chosen = np.array([random.random() < 0.3 for _ in range(len(tree))])  # type: ignore[attr-defined]
    regions = find_dropped(tree, chosen & tree.is_text)
    left_out = tree.is_text & ~chosen & ~skipped(tree)
    words = " ".join(tree.text[left_out].tolist()).split()
    assert sum(region.words for region in regions) == len(words)
    assert all(isinstance(region.reason, DropReason) for region in regions)
