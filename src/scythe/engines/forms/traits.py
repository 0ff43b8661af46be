"""Forms and their fields as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.engines.forms import words
from scythe.engines.forms.controls import SUBMITS, Item, text_below
from scythe.tree.tree import Tree

_KINDS: Mapping[str, re.Pattern[str]] = {
    "search": words.SEARCH,
    "entry": words.ENTRY,
    "joining": words.JOINING,
    "writing": words.WRITING,
    "buying": words.BUYING,
    "choosing": words.CHOOSING,
    "filtering": words.FILTERING,
}
_COUNTED = (
    "password",
    "email",
    "tel",
    "textarea",
    "checkbox",
    "radio",
    "select",
    "hidden",
    "file",
    "number",
    "date",
    "url",
)
FEW_LETTERS = 20
Row = dict[str, float]


def form_traits(tree: Tree, form: int, items: Sequence[Item]) -> Row:
    """What tells search forms from others."""
    attributes = tree.attributes(form)
    kinds = Counter(item.kind for item in items)
    typed = [item for item in items if item.takes_words]
    submits = [item for item in items if item.kind in SUBMITS or item.kind == "button"]
    method = attributes.get("method", "get").strip().lower()
    said = text_below(tree, form)
    places = {
        "name": words.spoken(
            " ".join(
                attributes.get(name, "")
                for name in ("id", "class", "name", "role", "aria-label", "title")
            )
        ),
        "action": words.spoken(attributes.get("action", "")),
        "submit": " ".join(item.label + " " + _named(item) for item in submits),
        "field": " ".join(_named(item) for item in typed),
        "label": " ".join(
            f"{item.label} {item.attributes.get('value', '')}" for item in typed
        ),
        "choice": words.spoken(
            " ".join(
                f"{item.name} {item.label}"
                for item in items
                if item.kind in ("select", "checkbox", "radio")
            )
        ),
        "hidden": words.spoken(
            " ".join(
                f"{item.name} {item.attributes.get('value', '')[:40]}"
                for item in items
                if item.kind == "hidden"
            )
        ),
        "text": said[:300],
        "around": _around(tree, form),
    }
    row: Row = {
        f"{place} says {kind}": bool(pattern.search(text))
        for place, text in places.items()
        for kind, pattern in _KINDS.items()
    }
    row |= {f"has {kind}": kinds[kind] > 0 for kind in _COUNTED}
    row |= {
        "method post": method == "post",
        "type search": kinds["search"] > 0,
        "role search": "search" in attributes.get("role", "").lower(),
        "query name": any(words.QUERY_NAME.match(item.name) for item in typed),
        "search pair": _has_pair(items),
        "no field": not typed,
        "one field": len(typed) == 1,
        "two fields": len(typed) == 2,
        "many fields": len(typed) > 2,
        "choices only": bool(
            not typed and kinds["select"] + kinds["checkbox"] + kinds["radio"]
        ),
        "no submit": not submits,
        "own action": bool(attributes.get("action", "").strip(" #")),
    }
    return row


def _has_pair(items: Sequence[Item]) -> bool:
    """Whether a field that says search is followed by a button: on pages that are one
    big form, that is the search box.
    """
    shown = [item for item in items if item.kind != "hidden"]
    return any(
        item.takes_words
        and (following.kind in SUBMITS or following.kind == "button")
        and words.SEARCH.search(
            f"{_named(item)} {item.label} {item.attributes.get('value', '')}"
        )
        for item, following in pairwise(shown)
    )


def field_traits(items: Sequence[Item]) -> list[Row]:
    """What tells the field for the query from the other fields of a form: a row for
    each field that takes words.
    """
    typed = [item for item in items if item.takes_words]
    rows = []
    for place, item in enumerate(typed):
        named, shown = _named(item), f"{item.label} {item.attributes.get('value', '')}"
        rows.append({
            "first": place == 0,
            "alone": len(typed) == 1,
            "later": float(np.log1p(place)),
            "type search": item.kind == "search",
            "textarea": item.kind == "textarea",
            "query name": words.QUERY_NAME.match(_last_part(item.name)) is not None,
            "no name": not item.name,
            "named search": words.SEARCH.search(named) is not None,
            "shown search": words.SEARCH.search(shown) is not None,
            "named refining": words.REFINING.search(named) is not None,
            "shown refining": words.REFINING.search(shown) is not None,
            "joining": words.JOINING.search(named + " " + shown) is not None,
            "autocomplete off": item.attributes.get("autocomplete", "") == "off",
            "required": "required" in item.attributes,
            "readonly": "readonly" in item.attributes,
            "short": _is_short(item),
        })  # fmt: skip
    return [{name: float(value) for name, value in row.items()} for row in rows]


def _is_short(item: Item) -> bool:
    """Whether it takes too few letters for words: a code, a year."""
    length = item.attributes.get("maxlength", "").strip()[:6]
    return length.isascii() and length.isdecimal() and int(length) < FEW_LETTERS


def matrix(rows: Sequence[Row], names: Sequence[str]) -> NDArray[np.float64]:
    """Rows as an array with a column for each name."""
    return np.array(
        [[float(row[name]) for name in names] for row in rows], dtype=np.float64
    ).reshape(len(rows), len(names))


def _named(item: Item) -> str:
    return words.spoken(
        " ".join(item.attributes.get(name, "") for name in ("name", "id", "class"))
    )


def _last_part(name: str) -> str:
    """Names of some programs tell the whole way to the field: `ctl00$Header$txtSearch`,
    `notice[keywords]`.
    """
    parts = re.split(r"[$\[\].:]+", name.strip("]"))
    return re.sub(r"^(?:txt|inp|tb|fld)_?(?=[A-Z_])", "", parts[-1]) if parts else name


def _around(tree: Tree, form: int) -> str:
    """The names of the two elements around a form."""
    found = []
    node = int(tree.parent[form])
    for _ in range(2):
        if node > 0:
            attributes = tree.attributes(node)
            found += [attributes.get("id", ""), attributes.get("class", "")]
            node = int(tree.parent[node])
    return words.spoken(" ".join(found))
