"""Slots of templates named by values that a person sees."""

from __future__ import annotations

import pytest

from scythe import Template
from scythe.errors import UsageError


def page(number: int) -> str:
    return (
        f"<h1>The tool number {number}</h1><p class=price>{number}.90 EUR</p>"
        f"<p class=text>Some words on the making of tool {number}.</p><p>Our farm</p>"
    )


PAGES = [page(number) for number in (3, 5, 8)]


def test_values_of_a_page_name_the_slots() -> None:
    template = Template.induce(
        PAGES, examples={"tool": "The tool number 5", "price": "5.90 EUR"}
    )
    assert template.record(page(13)) == {
        "tool": ["The tool number 13"],
        "price": ["13.90 EUR"],
    }


def test_a_value_that_no_slot_has_says_so() -> None:
    with pytest.raises(UsageError, match="No slot has the value"):
        Template.induce(PAGES, examples={"tool": "A tool of another page"})
