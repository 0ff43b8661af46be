"""Recipes as cooks read them: ingredients in their groups, and amounts for another
number of servings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scythe.web.server.values import number_text

MAX_SERVINGS = 1_000
"""Servings that a recipe is scaled to: an arbitrary cap."""
_AMOUNT = re.compile(
    r"(?P<about>(?:about|ca\.?|approx\.?)\s+)?"
    r"[\d½¼¾⅓⅔⅛⅜⅝⅞](?:[\d½¼¾⅓⅔⅛⅜⅝⅞/.,]|\s*[-–]\s*(?=[\d½¼¾⅓⅔⅛])|\s+(?=[\d½¼¾⅓⅔⅛]))*",  # noqa: RUF001
    re.IGNORECASE,
)
_HEADING = re.compile(r"for (?:the|serving)\b", re.IGNORECASE)
_FRACTIONS = {0.25: "¼", 0.5: "½", 0.75: "¾", 0.33: "⅓", 0.67: "⅔"}


@dataclass(frozen=True)
class IngredientGroup:
    """Ingredients under one heading, which is empty where they have none."""

    title: str
    lines: Sequence[str]


@dataclass(frozen=True)
class Servings:
    """How many a recipe is for, and how many it is shown for."""

    own: float
    shown: float
    unit: str

    @property
    def factor(self) -> float:
        """What amounts are multiplied with."""
        return self.shown / self.own

    @property
    def choices(self) -> list[int]:
        """Numbers that people often want."""
        half = max(round(self.own / 2), 1)
        whole = round(self.own)
        return sorted({half, whole, 2 * whole, 3 * whole})


def servings(fields: Mapping[str, Any], asked: int | None) -> Servings | None:
    """Return the servings of a recipe; None where it does not say for how many it is."""
    own = fields.get("yield_amount")
    if not isinstance(own, (int, float)) or own <= 0:
        return None
    shown = asked if asked and 0 < asked <= MAX_SERVINGS else own
    unit = fields.get("yield_unit")
    return Servings(own, shown, unit if isinstance(unit, str) else "")


def ingredient_groups(
    lines: Sequence[str], parsed: Any, factor: float = 1.0
) -> list[IngredientGroup]:
    """Return ingredient lines in groups, with their amounts multiplied."""
    has_parts = isinstance(parsed, list) and len(parsed) == len(lines)
    all_parts = parsed if has_parts else [{}] * len(lines)

    title = ""
    found: list[str] = []
    groups = []
    for line, parts in zip(lines, all_parts, strict=True):
        own_parts = parts if isinstance(parts, dict) else {}
        if not _is_heading(line, own_parts):
            found.append(scaled(line, own_parts, factor))
            continue
        groups.append(IngredientGroup(title, found))
        title = line.rstrip(" :")
        found = []
    groups.append(IngredientGroup(title, found))
    return [group for group in groups if group.title or group.lines]


def _is_heading(line: str, parts: Mapping[str, Any]) -> bool:
    if "quantity" in parts:
        return False
    return line.rstrip().endswith(":") or _HEADING.match(line) is not None


def scaled(line: str, parts: Mapping[str, Any], factor: float) -> str:
    """Return an ingredient line with its amount multiplied."""
    quantity = parts.get("quantity")
    if factor == 1.0 or not isinstance(quantity, (int, float)):
        return line
    amount = amount_text(quantity * factor)
    upper = parts.get("to")
    if isinstance(upper, (int, float)):
        amount += f"–{amount_text(upper * factor)}"  # noqa: RUF001
    found = _AMOUNT.match(line)
    if found is None:
        return f"{amount_text(factor)} × {line}"  # noqa: RUF001
    about = found["about"] or ""
    rest = line[found.end() :]
    return f"{about}{amount}{rest}"


def amount_text(amount: float) -> str:
    """Return an amount as cooks write it: with the usual fractions."""
    whole = int(amount)
    fraction = _FRACTIONS.get(round(amount - whole, 2))
    if fraction is not None and amount < 20:
        return f"{whole or ''}{fraction}"
    return number_text(round(amount, 2 if amount < 10 else 0))
