"""What labels beside values call the fields of a thing, in a small word list of our
own, and what values look like.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from scythe.templates.lines.words import (
    IS_INGREDIENTS,
    IS_INSTRUCTIONS,
    alternatives,
    part_named,
    pattern,
)

MAX_LABEL = 50
"""Characters up to which a text can be a label."""

_LABEL = "label."
_PATTERNS = {
    name.removeprefix(_LABEL): pattern(name, r"[^\w]{0,4}")
    for name in alternatives()
    if name.startswith(_LABEL)
}
_DURATION_UNIT = f"(?:{'|'.join(alternatives()['duration'])})"
DURATION = re.compile(
    rf"(?:pt?\d+[dhms]|(?:\d|[¼-¾⅐-⅞])[\d\s./,¼-¾⅐-⅞\u2013-]*\s*{_DURATION_UNIT}).{{0,40}}",
    re.IGNORECASE | re.DOTALL,
)
_YIELD = re.compile(r".{0,30}\d.{0,40}", re.DOTALL)
_NUMBERISH = re.compile(r".{0,15}\d.{0,25}", re.DOTALL)

_CHECKS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(("prep_time", "cook_time", "total_time"), DURATION),
    "yield": _YIELD,
    **dict.fromkeys(("price", "calories", "rating", "gtin", "phone"), _NUMBERISH),
}


def field_of_label(label: str) -> str | None:
    """The field that a label names ("Prep time:"), None if it names none that is known."""
    label = label.strip()
    if not label or len(label) > MAX_LABEL:
        return None
    found = next(
        (
            name
            for name, label_pattern in _PATTERNS.items()
            if label_pattern.match(label)
        ),
        None,
    )
    return found or {
        IS_INGREDIENTS: "ingredients",
        IS_INSTRUCTIONS: "instructions",
    }.get(part_named(label))


def looks_like_field(name: str, values: Sequence[str]) -> bool:
    """Whether values look like those of a field; of fields that look like anything, all
    do.
    """
    check = _CHECKS.get(name)
    return check is None or 2 * sum(
        check.match(value.strip()[: 2 * MAX_LABEL]) is not None for value in values
    ) >= len(values)


def labelled_value(name: str, texts: Sequence[str]) -> tuple[str, int] | None:
    """The value of a field that lines of a page name by a label, on the same line or
    the next, with its line.
    """
    names, check = _PATTERNS[name], _CHECKS.get(name)
    for line, text in enumerate(texts):
        found = names.match(text) if len(text) <= 2 * MAX_LABEL else None
        if not found:
            continue
        rest = text[found.end() :].lstrip(" \t:\uff1a-\u2013|")
        following = texts[line + 1] if line + 1 < len(texts) else ""
        for value, place in ((rest, line), (following, line + 1)):
            if (
                value
                and len(value) <= MAX_LABEL
                and (check is None or check.match(value))
            ):
                return value, place
            if len(rest) > 2:
                break
    return None
