"""Lists and attributions that belong to the text around them."""

from __future__ import annotations

import numpy as np

from scythe import Tree, extract
from scythe.content.methods.learned.units import with_enclosed_lists
from scythe.content.selection import Selection

FIRST = "The men cut the barley at dawn, rested at noon and went on until dark."
LAST = "When the last load was in, they hung a wreath on the door of the barn."
LINKS = "<ul><li><a href=/s>Scythe</a></li><li><a href=/r>Rake</a></li></ul>"


def select_paragraphs(tree: Tree) -> Selection:
    """Select the text of paragraphs, and the lists between them."""
    nodes = np.zeros(len(tree), dtype=bool)
    for node in range(len(tree)):
        if tree.name(node) == "p":
            nodes |= tree.subtree(node) & tree.is_text
    return Selection(with_enclosed_lists(tree, nodes), confidence=1.0)


def text_of(html: str) -> str:
    return extract(html, method=select_paragraphs).text


def test_a_list_between_paragraphs_of_one_text_is_a_part_of_it() -> None:
    html = f"<article><p>{FIRST}</p><h2>Tools</h2>{LINKS}<p>{LAST}</p></article>"
    assert text_of(html) == f"{FIRST}\nScythe\nRake\n{LAST}"


def test_lists_elsewhere_stay_as_the_method_decided() -> None:
    behind = f"<article><p>{FIRST}</p>{LINKS}</article>"
    apart = f"<p>{FIRST}</p><div>{LINKS}</div><p>{LAST}</p>"
    for html in (behind, apart):
        assert "Scythe" not in text_of(html)


def test_a_list_longer_than_the_text_is_no_part_of_it() -> None:
    html = f"<article><p>{FIRST}</p><ul>{'<li>Barley and oats</li>' * 20}</ul><p>{LAST}</p>"
    assert text_of(html) == f"{FIRST}\n{LAST}"


def test_a_quotation_keeps_the_name_of_who_said_it() -> None:
    caption = "<figcaption>Ada, mower</figcaption>"
    quote = f"<figure><blockquote><p>{LAST}</p></blockquote>{caption}</figure>"
    assert "Ada, mower" in text_of(f"<p>{FIRST}</p>{quote}")
    left_out = quote.replace("<p>", "<div>").replace("</p>", "</div>")
    assert "Ada" not in text_of(f"<p>{FIRST}</p>{left_out}")
