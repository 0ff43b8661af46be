"""Files of templates: what was changed by hand is refused or harmless, and a copy
shares nothing with its original.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from recipe_pages import sequence_page
from scythe.errors import ScytheError
from scythe.templates.template.template import Template

WRONG: list[Any] = [
    None,
    True,
    -1,
    0,
    2.5,
    10**400,
    "",
    "x",
    "\ud800",
    [],
    [1],
    ["x"],
    {},
    {"x": 1},
]


def grown() -> Template:
    template = Template.induce(
        [sequence_page(letters, n) for n, letters in enumerate(("abde", "addef"))]
    )
    template.name(template.slots[0].id, "title", "text")
    return template


def mutated(values: Any, rng: random.Random) -> Any:
    """Return values with one of them, anywhere inside, replaced by a wrong one."""
    copied = json.loads(json.dumps(values))
    inner = copied
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        key = rng.choice(keys)
        is_open = isinstance(inner[key], dict | list) and inner[key]
        if not is_open or rng.random() < 0.2:
            inner[key] = rng.choice(WRONG)
            return copied
        inner = inner[key]


def test_a_file_with_a_wrong_value_is_refused_or_works() -> None:
    saved = grown().as_json()
    page = sequence_page("acdef", 9)
    refused = 0
    for seed in range(250):
        values = mutated(saved, random.Random(seed))
        try:
            template = Template.from_json(values)
        except ScytheError:
            refused += 1
            continue
        template.extract(page, template_text=True)
        template.record(page)
        template.update(page)
        assert all(slot.as_json() for slot in template.all_slots)
        template.as_text().encode()
    assert refused > 100


def test_a_copy_shares_no_values_with_its_original() -> None:
    template = grown()
    before = template.as_text()
    copied = Template.from_json(template.as_json())
    copied.update(sequence_page("abcdef", 7))
    assert template.as_text() == before


@pytest.mark.parametrize(
    ("base", "link"),
    [
        ("", "more.html"),
        ('<base href="/shop/">', "/shop/more.html"),
        ('<base href="https://cdn.example/x/">', "https://cdn.example/x/more.html"),
    ],
)
def test_addresses_start_from_the_base_of_the_page(base: str, link: str) -> None:
    def page(number: int, address: str) -> str:
        return (
            f"<head>{base}</head><body><h1>No. {number}</h1>"
            f"<a href='{address}'>More {number}</a></body>"
        )

    template = Template.induce([page(1, "one.html"), page(2, "two.html")])
    links = [slot for slot in template.slots if slot.kind == "link"]
    assert template.extract(page(3, "more.html"))[links[0].id] == [link]
