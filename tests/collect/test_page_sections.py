"""What stands under headings."""

from __future__ import annotations

from scythe.collect.pages.sections import section_lines
from scythe.tree import parse


def test_sections_end_at_the_next_heading_of_the_same_rank() -> None:
    page = """<h1>Soup</h1><p>Good.</p><h2>Ingredients:</h2><ul><li>1 <b>leek</b></li><li>salt</li></ul><h3>For later</h3>
      <p>bread</p>
      <h2>Directions</h2><ol><li>Cut.</li><li>Boil.</li></ol><div><a href=/a>More soups</a></div><p>Related</p>"""
    assert section_lines(parse(page)) == {
        "ingredients": ["1 leek", "salt", "bread"],
        "for later": ["bread"],
        "directions": ["Cut.", "Boil."],
    }


def test_headings_in_boxes_of_their_own() -> None:
    page = "<div><header><h2>Steps</h2></header><p>Mow.</p></div><footer>All rights</footer>"
    assert section_lines(parse(page)) == {"steps": ["Mow."]}


def test_pages_without_headings_and_long_headings() -> None:
    assert section_lines(parse("<p>Nothing</p>")) == {}
    assert section_lines(parse(f"<h2>{'very ' * 30}long</h2><p>x</p>")) == {}
