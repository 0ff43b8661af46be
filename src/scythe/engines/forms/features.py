"""Forms and their fields as numbers, for the two models that select them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scythe.engines.forms import keywords
from scythe.engines.forms.controls import SUBMIT_KINDS, PageControl, text_below
from scythe.engines.forms.keywords import identifier_words
from scythe.tree.tree import Tree

PURPOSES: Mapping[str, re.Pattern[str]] = {
    "search": keywords.SEARCH,
    "login": keywords.LOGIN,
    "registration": keywords.REGISTRATION,
    "message": keywords.MESSAGE,
    "purchase": keywords.PURCHASE,
    "display": keywords.DISPLAY,
    "filter": keywords.FILTER,
}
"""What forms are for, and the words that show it."""
COUNTED_KINDS = (
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
"""Kinds of controls whose presence is a feature."""
CHOICE_KINDS = ("select", "checkbox", "radio")
FORM_NAMES = ("id", "class", "name", "role", "aria-label", "title")
"""Attributes in which a form names itself."""
SHORT_FIELD = 20
"""Letters below which a field's `maxlength` makes it one for a code or a year rather
than for a query. The weight of the feature was learned; the bound itself was not tuned.
"""
FORM_TEXT = 300
HIDDEN_VALUE = 40
"""Letters read of a form's text and of a hidden value: bounds on work, not tuned."""
ANCESTORS = 2
"""Elements around a form whose names count; not tuned."""

Features = dict[str, float]


def form_features(tree: Tree, form: int, controls: Sequence[PageControl]) -> Features:
    """Return what separates search forms from others."""
    attributes = tree.attributes(form)
    kinds: Counter[str] = Counter()
    names: list[str] = []
    has_button = False
    for control in controls:
        kinds[control.kind] += 1
        has_button = has_button or _is_button(control)
        if control.takes_text:
            names.append(control.name)

    features: Features = {}
    for source, text in _form_texts(tree, form, controls).items():
        for purpose, pattern in PURPOSES.items():
            names_purpose = pattern.search(text) is not None
            features[f"{source} says {purpose}"] = names_purpose
    for kind in COUNTED_KINDS:
        features[f"has {kind}"] = kinds[kind] > 0

    has_choices = any(kinds[kind] for kind in CHOICE_KINDS)
    method = attributes.get("method", "get").strip().lower()
    role = attributes.get("role", "").lower()
    action = attributes.get("action", "").strip(" #")
    features |= {
        "method post": method == "post",
        "type search": kinds["search"] > 0,
        "role search": "search" in role,
        "query name": any(map(keywords.QUERY_NAME.match, names)),
        "search pair": _has_search_pair(controls),
        "no field": not names,
        "one field": len(names) == 1,
        "two fields": len(names) == 2,
        "many fields": len(names) > 2,
        "choices only": has_choices and not names,
        "no submit": not has_button,
        "own action": bool(action),
    }
    return features


def _form_texts(
    tree: Tree, form: int, controls: Sequence[PageControl]
) -> dict[str, str]:
    """Return the texts in which a form's purpose is looked for, by where they stand."""
    attributes = tree.attributes(form)
    own_names = [attributes.get(name, "") for name in FORM_NAMES]
    submit = []
    field = []
    label = []
    choice = []
    hidden = []
    for control in controls:
        value = control.attributes.get("value", "")
        names = _names(control)
        if _is_button(control):
            submit.append(f"{control.label} {names}")
        if control.takes_text:
            field.append(names)
            label.append(f"{control.label} {value}")
        if control.kind in CHOICE_KINDS:
            choice.append(f"{control.name} {control.label}")
        if control.kind == "hidden":
            start = value[:HIDDEN_VALUE]
            hidden.append(f"{control.name} {start}")
    return {
        "name": identifier_words(" ".join(own_names)),
        "action": identifier_words(attributes.get("action", "")),
        "submit": " ".join(submit),
        "field": " ".join(field),
        "label": " ".join(label),
        "choice": identifier_words(" ".join(choice)),
        "hidden": identifier_words(" ".join(hidden)),
        "text": text_below(tree, form)[:FORM_TEXT],
        "around": _ancestor_names(tree, form),
    }


def _is_button(control: PageControl) -> bool:
    return control.kind in SUBMIT_KINDS or control.kind == "button"


def _has_search_pair(controls: Sequence[PageControl]) -> bool:
    """Return whether a field that names a search is followed by a button.

    On pages that are one big form, that is the search box.
    """
    displayed = [control for control in controls if control.kind != "hidden"]
    for control, following in pairwise(displayed):
        if not control.takes_text or not _is_button(following):
            continue
        names = _names(control)
        value = control.attributes.get("value", "")
        words = f"{names} {control.label} {value}"
        if keywords.SEARCH.search(words):
            return True
    return False


def field_features(controls: Sequence[PageControl]) -> list[Features]:
    """Return what separates the field for the query from the other fields of a form.

    There is a row for each field that takes text.
    """
    text_fields = [control for control in controls if control.takes_text]
    rows = []
    for index, control in enumerate(text_fields):
        attributes = control.attributes
        names = _names(control)
        value = attributes.get("value", "")
        label = f"{control.label} {value}"
        all_words = f"{names} {label}"
        last_part = _last_part(control.name)
        row = {
            "first": index == 0,
            "alone": len(text_fields) == 1,
            "later": np.log1p(index),
            "type search": control.kind == "search",
            "textarea": control.kind == "textarea",
            "query name": bool(keywords.QUERY_NAME.match(last_part)),
            "no name": not control.name,
            "name says search": bool(keywords.SEARCH.search(names)),
            "label says search": bool(keywords.SEARCH.search(label)),
            "name says refinement": bool(keywords.REFINEMENT.search(names)),
            "label says refinement": bool(keywords.REFINEMENT.search(label)),
            "says registration": bool(keywords.REGISTRATION.search(all_words)),
            "autocomplete off": attributes.get("autocomplete", "") == "off",
            "required": "required" in attributes,
            "readonly": "readonly" in attributes,
            "short": _is_short(control),
        }
        rows.append({name: float(value) for name, value in row.items()})
    return rows


def _is_short(control: PageControl) -> bool:
    """Return whether a field takes too few letters for a query: a code, a year."""
    value = control.attributes.get("maxlength", "").strip()
    length = value[:6]
    is_number = length.isascii() and length.isdecimal()
    return is_number and int(length) < SHORT_FIELD


def feature_matrix(
    rows: Sequence[Features], names: Sequence[str]
) -> NDArray[np.float64]:
    """Return rows as an array with a column for each name."""
    shape = (len(rows), len(names))
    matrix = np.empty(shape, dtype=np.float64)
    for index, row in enumerate(rows):
        matrix[index] = [float(row[name]) for name in names]
    return matrix


def _names(control: PageControl) -> str:
    """Return the identifiers of a control as words."""
    values = [control.attributes.get(name, "") for name in ("name", "id", "class")]
    return identifier_words(" ".join(values))


def _last_part(name: str) -> str:
    """Return the last part of a name that is a path.

    Some programs write the whole path: `ctl00$Header$txtSearch`, `notice[keywords]`.
    """
    parts = re.split(r"[$\[\].:]+", name.strip("]"))
    last = parts[-1]
    return re.sub(r"^(?:txt|inp|tb|fld)_?(?=[A-Z_])", "", last)


def _ancestor_names(tree: Tree, form: int) -> str:
    """Return the names of the elements around a form."""
    names = []
    node = int(tree.parent[form])
    for _ in range(ANCESTORS):
        if node <= 0:
            break
        attributes = tree.attributes(node)
        names.append(attributes.get("id", ""))
        names.append(attributes.get("class", ""))
        node = int(tree.parent[node])
    return identifier_words(" ".join(names))
