"""Records as items of lists: nothing changes its place."""

import numpy as np

from scythe.content.formats.markdown import to_markdown
from scythe.content.structures.arrangement import arrange_records, can_be_items
from scythe.sections.span import Span
from scythe.tree import Tree, parse
from scythe.tree.tree import Bools

GROUPED = """
<main><p>All our tools.</p>
<h2>For hay</h2>
<div class="tool"><b>Scythe</b> 40</div>
<div class="tool"><b>Rake</b> 15</div>
<div class="tool"><b>Fork</b> 20</div>
<h2>For wood</h2>
<div class="row"><p>Sold out until May.</p>
<div class="tool"><b>Axe</b> 35</div>
<div class="tool"><b>Saw</b> 30</div></div>
<p>Prices in crowns.</p></main>
"""


def read(html: str) -> tuple[Tree, Bools, list[Span]]:
    """Return a page, all of it chosen, and its elements of the class `tool`."""
    tree = parse(html)
    classes = tree.with_attribute("class")
    tools = [node for node, name in classes.items() if name == "tool"]
    spans = [Span(node, int(tree.end[node])) for node in tools]
    return tree, np.ones(len(tree), dtype=bool), spans


def test_what_stands_between_records_stays_there() -> None:
    tree, chosen, spans = read(GROUPED)
    assert can_be_items(tree, chosen, spans)
    markdown = to_markdown(*arrange_records(tree, chosen, spans))
    places = [
        "All our tools.",
        "## For hay",
        "- **Scythe** 40",
        "- **Rake** 15",
        "- **Fork** 20",
        "## For wood",
        "Sold out until May.",
        "- **Axe** 35",
        "- **Saw** 30",
        "Prices in crowns.",
    ]
    lines = [line for line in markdown.splitlines() if line]
    assert lines == places


def test_space_between_records_does_not_part_a_list() -> None:
    tools = "\n\n".join(f'<div class="tool">Tool {name}</div>' for name in "ABC")
    tree, chosen, spans = read(f"<main>{tools}</main>")
    markdown = to_markdown(*arrange_records(tree, chosen, spans))
    assert markdown == "- Tool A\n- Tool B\n- Tool C"


def test_sections_under_headings_are_no_items() -> None:
    sections = [
        f'<h2>{letter}</h2><div class="tool"><ul><li>{letter}xe</li></ul></div>'
        for letter in "ABC"
    ]
    tree, chosen, spans = read(f"<main>{''.join(sections)}</main>")
    assert not can_be_items(tree, chosen, spans)
