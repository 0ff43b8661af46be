"""Recipes for programs that keep them: a zip of schema.org recipes, as Nextcloud Cookbook
stores them and as Mealie and Tandoor import them; and the archive of Paprika, which all
three read, too.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from scythe.errors import UsageError

_Row = Mapping[str, Any]
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
_MAX_NAME = 80
"""Characters of the name of a folder in an archive: below the limit of every system."""
_PROPERTIES = {
    "description": "description",
    "image": "image",
    "author": "author",
    "category": "recipeCategory",
    "cuisine": "recipeCuisine",
    "keywords": "keywords",
    "published": "datePublished",
}
"""Fields that are texts, and what schema.org calls them."""
_DURATIONS = {
    "prep_time": "prepTime",
    "cook_time": "cookTime",
    "total_time": "totalTime",
}


def write_recipes(path: Path, columns: Sequence[str], rows: Iterable[_Row]) -> int:
    """Write recipes to a zip, each as `Recipes/NAME/recipe.json` in the words of
    schema.org; return how many.
    """
    _require_recipes(columns)
    count = 0
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, row in _named(rows):
            text = json.dumps(schema_org_recipe(row), ensure_ascii=False, indent=2)
            archive.writestr(f"Recipes/{name}/recipe.json", text)
            count += 1
    return count


def write_paprika(path: Path, columns: Sequence[str], rows: Iterable[_Row]) -> int:
    """Write recipes to an archive of Paprika: gzipped JSON, one a recipe; return how
    many.
    """
    _require_recipes(columns)
    count = 0
    with ZipFile(path, "w") as archive:
        for name, row in _named(rows):
            text = json.dumps(_paprika_recipe(row), ensure_ascii=False)
            packed = gzip.compress(text.encode(), mtime=0)
            archive.writestr(f"{name}.paprikarecipe", packed)
            count += 1
    return count


def schema_org_recipe(row: _Row) -> dict[str, Any]:
    """Return a record as a recipe of schema.org; what importers count on is there, also
    where it is empty.
    """
    recipe: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Recipe",
        "name": _title(row),
        "description": "",
        "url": _text(row.get("record_url")),
        "recipeYield": _servings(row),
        "recipeIngredient": _lines(row.get("ingredients")),
        "recipeInstructions": _lines(row.get("instructions")),
    }
    for field, name in _PROPERTIES.items():
        if text := _text(row.get(field)):
            recipe[name] = text
    for field, name in _DURATIONS.items():
        if minutes := _minutes(row.get(field)):
            hours, rest = divmod(minutes, 60)
            recipe[name] = f"PT{hours}H{rest}M"
    if calories := _text(row.get("calories")):
        recipe["nutrition"] = {"@type": "NutritionInformation", "calories": calories}
    return recipe


def _paprika_recipe(row: _Row) -> dict[str, Any]:
    def time(field: str) -> str:
        minutes = _minutes(row.get(field))
        return f"{minutes} min" if minutes else ""

    category = _text(row.get("category"))
    return {
        "name": _title(row),
        "description": _text(row.get("description")),
        "ingredients": "\n".join(_lines(row.get("ingredients"))),
        "directions": "\n\n".join(_lines(row.get("instructions"))),
        "servings": _text(row.get("yield")),
        "prep_time": time("prep_time"),
        "cook_time": time("cook_time"),
        "total_time": time("total_time"),
        "source": _text(row.get("author")),
        "source_url": _text(row.get("record_url")),
        "image_url": _text(row.get("image")),
        "categories": [category] if category else [],
        "nutritional_info": _text(row.get("calories")),
        "notes": "",
    }


def _require_recipes(columns: Sequence[str]) -> None:
    missing = {"title", "ingredients", "instructions"}.difference(columns)
    if missing:
        raise UsageError(
            "Only recipes can be written for these programs: the records have no "
            f"{' and no '.join(sorted(missing))}. Write CSV, JSON lines or a workbook."
        )


def _named(rows: Iterable[_Row]) -> Iterator[tuple[str, _Row]]:
    """Yield the records, each with a name of its own that every file system takes."""
    used: set[str] = set()
    for row in rows:
        title = _NOT_IN_NAMES.sub(" ", _title(row))
        plain = " ".join(title.split())[:_MAX_NAME]
        stem = plain.strip(" .") or "recipe"
        name = stem
        number = 1
        while name.casefold() in used:
            number += 1
            name = f"{stem} {number}"
        used.add(name.casefold())
        yield name, row


def _title(row: _Row) -> str:
    return _text(row.get("title")) or _text(row.get("record_url"))


def _lines(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [text for text in map(_text, items) if text]


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_lines(value))
    return "" if value is None else str(value).strip()


def _minutes(value: Any) -> int:
    return round(value) if isinstance(value, (int, float)) else 0


def _servings(row: _Row) -> int:
    """Return for how many it is: importers want a whole number."""
    amount = row.get("yield_amount")
    if not isinstance(amount, (int, float)):
        return 1
    return max(round(amount), 1)
