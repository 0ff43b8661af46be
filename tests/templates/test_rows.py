"""Attributes as rows of a label and a value, in the ways that sites write them: each
page has some of them, in one order.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from scythe.templates.template.template import Template

ATTRIBUTES = ("Height", "Weight", "Born", "College", "Team", "Position")
Row = Callable[[str, str], str]

WAYS: dict[str, tuple[str, Row, str]] = {
    "bold labels in a flow": (
        "<div>",
        lambda label, value: f"<b>{label}:</b> {value}<br>",
        "</div>",
    ),
    "bold labels without a colon": (
        "<div>",
        lambda label, value: f"<b>{label}</b> {value}<br>",
        "</div>",
    ),
    "lines of text": ("<p>", lambda label, value: f"{label}: {value}<br>", "</p>"),
    "a table": (
        "<table>",
        lambda label, value: f"<tr><td>{label}</td><td>{value}</td></tr>",
        "</table>",
    ),
    "a table with bold labels": (
        "<table>",
        lambda label, value: f"<tr><td><b>{label}:</b></td><td>{value}</td></tr>",
        "</table>",
    ),
    "a list of definitions": (
        "<dl>",
        lambda label, value: f"<dt>{label}</dt><dd>{value}</dd>",
        "</dl>",
    ),
    "items": ("<ul>", lambda label, value: f"<li>{label}: {value}</li>", "</ul>"),
    "items with bold labels": (
        "<ul>",
        lambda label, value: f"<li><b>{label}:</b> {value}</li>",
        "</ul>",
    ),
    "paragraphs": (
        "<div>",
        lambda label, value: f"<p><strong>{label}</strong> {value}</p>",
        "</div>",
    ),
    "boxes of boxes": (
        "<div>",
        lambda label, value: f"<div><div>{label}</div><div>{value}</div></div>",
        "</div>",
    ),
    "pairs of one tag": (
        "<div>",
        lambda label, value: f"<span>{label}:</span><span>{value}</span>",
        "</div>",
    ),
    "headings": (
        "<div>",
        lambda label, value: f"<h3>{label}</h3><p>{value}</p>",
        "</div>",
    ),
}


def players(count: int) -> list[dict[str, str]]:
    chance = random.Random(4)
    return [
        {
            name: f"{name[0]}{number} {chance.choice('xyz')}"
            for name in ATTRIBUTES
            if chance.random() < 0.7
        }
        for number in range(count)
    ]


def page(way: str, number: int, player: dict[str, str]) -> str:
    before, row, behind = WAYS[way]
    rows = "".join(row(label, value) for label, value in player.items())
    menu = "<div><a href=/>Home</a><a href=/sports>Sports</a></div>"
    return f"{menu}<div><h1>Player {number}</h1>{before}{rows}{behind}</div><div><p>About us</p><p>Footer</p></div>"


@pytest.mark.parametrize("way", WAYS)
def test_each_attribute_has_its_slot_whichever_others_a_page_has(way: str) -> None:
    known = players(30)
    pages = [page(way, number, player) for number, player in enumerate(known)]
    template = Template()
    for html in pages[:6]:
        template.update(html)
    assert set().union(*known[:6]) == set(ATTRIBUTES)
    read = [template.extract(html) for html in pages[:6]]
    for name in ATTRIBUTES:
        slots = [
            slot.id
            for slot in template.slots
            if all(
                found.get(slot.id, []) == values(name, player)
                for found, player in zip(read, known, strict=False)
            )
        ]
        assert slots, name
        template.name(slots[0], name)
    for html, player in zip(pages[6:], known[6:], strict=True):
        template.update(html)
        assert template.record(html) == {
            name: [value] for name, value in player.items()
        }


def values(name: str, player: dict[str, str]) -> list[str]:
    return [player[name]] if name in player else []


def test_ingredients_that_recur_are_no_labels() -> None:
    def recipe(number: int) -> str:
        chance = random.Random(number)
        names = chance.sample(
            "flour salt butter sugar milk eggs yeast honey oil rye oats nuts".split(),
            4 + number % 4,
        )
        items = "".join(
            f"<li><span>{name}</span> <i>{chance.randint(1, 9)} cups</i></li>"
            for name in names
        )
        return f"<h1>Cake {number}</h1><h2>Ingredients</h2><ul>{items}</ul><p>Bake cake {number}.</p>"

    template = Template.induce([recipe(number) for number in range(3)])
    for number in range(3, 40):
        template.update(recipe(number))
    lists = [slot for slot in template.slots if slot.repeatable]
    assert [slot.path.rsplit(" > ", 2)[1] for slot in lists] == ["span", "i"]
    assert len(template.extract(recipe(50))[lists[0].id]) == 6
