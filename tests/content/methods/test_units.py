"""Tables, lists and quotes as one thing."""

from __future__ import annotations

import numpy as np
import pytest

from scythe.content.methods.learned.blocks import find_blocks
from scythe.content.methods.learned.units import find_units
from scythe.tree import parse

PROSE = "<p>Barley is sown in March, as soon as the ground can carry a horse.</p>" * 3
POST = "<li><b>Ann</b><br>Monday<p>One.</p><p>Two.</p><p>Three.</p></li>"


def units_of(html: str) -> dict[str, int]:
    """Return the unit of each block of a page, by the text of the block."""
    tree = parse(html)
    blocks = find_blocks(tree)
    lines = blocks.texts(tree)
    words = np.array([len(line.split()) for line in lines])
    unit_of = find_units(tree, blocks.nodes[blocks.first], words)
    return dict(zip((line.strip() for line in lines), unit_of.tolist(), strict=True))


@pytest.mark.parametrize(
    ("html", "members"),
    [
        (
            (
                "<table><caption>Yields</caption><tr><th>Field<th>Sacks"
                "<tr><td><a href=u>Upper</a><td>12<tr><td><a href=l>Lower</a><td>9</table>"
            ),
            ["Yields", "Field", "Sacks", "Upper", "12", "Lower", "9"],
        ),
        ("<ul><li>Scythe<li>Whetstone<li>Rake</ul>", ["Scythe", "Whetstone", "Rake"]),
        (
            "<ol><li>Cut<ul><li>low<li>dry</ul><li>Bind</ol>",
            ["Cut", "low", "dry", "Bind"],
        ),
        (
            "<dl><dt>Sheaf<dd>A bundle<dt>Stook<dd>Some sheaves</dl>",
            ["Sheaf", "A bundle", "Stook", "Some sheaves"],
        ),
        (
            "<blockquote><p>We cut.</p><p>They bind.</p></blockquote>",
            ["We cut.", "They bind."],
        ),
    ],
    ids=["table", "list", "nested lists", "definitions", "quote"],
)
def test_what_a_reader_takes_as_one_thing_is_one_unit(
    html: str, members: list[str]
) -> None:
    units = units_of(PROSE + html + PROSE.replace("March", "April"))
    inside = {text for text, unit in units.items() if unit == 0}
    assert inside == set(members)
    assert set(units.values()) == {0, -1}


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><p>Menu</p><p>Home</p><p>News</p><td>" + PROSE + "</table>",
        "<table><tr><td><table><tr><td>a<td>b</table><td>c<tr><td>d<td>e</table>",
        "<ol>" + POST * 3 + "</ol>",
        "<blockquote>" + PROSE + "</blockquote>",
        "<table><tr><td>one<tr><td>two<tr><td>three</table>",
    ],
    ids=[
        "layout",
        "a table around a table",
        "posts",
        "the indented page",
        "one column",
    ],
)
def test_what_lays_out_a_page_or_holds_records_is_no_unit_as_a_whole(html: str) -> None:
    units = units_of(html)
    assert -1 in units.values()


def test_units_are_numbered_in_the_order_of_the_page() -> None:
    units = units_of("<ul><li>a<li>b</ul><p>between</p><ul><li>c<li>d</ul>")
    assert units == {"a": 0, "b": 0, "between": -1, "c": 1, "d": 1}
