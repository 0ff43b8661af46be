"""The next page of an engine that turns pages by the buttons of a form, as Omega does,
instead of by links.
"""

from __future__ import annotations

from collections.abc import Sequence

from scythe.engines.forms.building import FormPage, build_form
from scythe.engines.forms.controls import SUBMITS, Controls, Item
from scythe.tree.tree import Tree
from scythe.wrappers.pagination import AROUND, SIGNS, WORDS


def next_by_button(tree: Tree, url: str, charset: str = "utf-8") -> str | None:
    """The address that the button for the next page leads to; None where there is none,
    or it is not sent by GET.
    """
    controls, page = Controls(tree), FormPage(tree, url, charset)
    for form in controls.forms:
        items = controls.by_form[form]
        asked = next(
            (
                item
                for item in items
                if item.takes_words and item.name and item.attributes.get("value")
            ),
            None,
        )
        button = _next(items)
        if asked is not None and button is not None:
            built = build_form(page, form, items, asked, button)
            if built is not None and built.method == "get":
                return built.request(asked.attributes["value"]).url
    return None


def _next(items: Sequence[Item]) -> Item | None:
    """The button that says so, or the one with the number after that of the button that
    is switched off.
    """
    submits = [item for item in items if item.kind in SUBMITS and item.name]
    for item in submits:
        shown = item.attributes.get("value", "").strip()
        if not item.disabled and (
            shown.strip(AROUND).lower() in WORDS or shown in SIGNS
        ):
            return item
    numbers = {
        int(value): item
        for item in submits
        if (value := item.attributes.get("value", "").strip()[:6]).isdecimal()
    }
    here = next((number for number, item in numbers.items() if item.disabled), None)
    return None if here is None else numbers.get(here + 1)
