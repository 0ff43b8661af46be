"""The record that a page declares of its main thing in structured data: JSON-LD first,
then microdata.

Where a page says in schema.org's words what it is about, no template is needed: the
values are there, with their names. They are cleaned (mark-up and entities inside
strings, steps in sections, addresses in parts) and each says where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import islice
from typing import Any

from scythe.content.metadata.jsonld import (
    Item,
    read_jsonld,
    type_names,
    walk_items,
)
from scythe.content.metadata.microdata import read_microdata
from scythe.templates.declared.schemas import SCHEMAS, Field, Schema
from scythe.tree.parse import parse
from scythe.tree.text import letters_and_digits, plain_text
from scythe.tree.tree import Tree

MAX_RECORDS = 50
"""Items of a kind that are looked at: a page that lists more has no main one."""
MAX_VALUES = 1_000
MAX_CHARS = 200_000
"""Characters kept of all values of a field."""

_MARKUP = re.compile(r"<[a-zA-Z/!]")
_STEP_NUMBER = re.compile(r"\W*[^\W\d]*\W*\d+\W*")
"""Names that say nothing but which step it is, in any language: "Step 3"."""
_ASIDE = frozenset(
    {
        "isRelatedTo",
        "isSimilarTo",
        "relatedLink",
        "mentions",
        "citation",
        "hasPart",
        "video",
        "review",
        "reviews",
        "comment",
    }
)
"""Properties under which other things stand than the page's main one."""
_ADDRESS = (
    "streetAddress",
    "postalCode",
    "addressLocality",
    "addressRegion",
    "addressCountry",
)


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A record with the source of each field."""

    kind: str
    values: Mapping[str, list[str]]
    sources: Mapping[str, str] = field(default_factory=dict)
    """For each field where its values come from: `json-ld recipeIngredient`."""

    @property
    def complete(self) -> bool:
        """Whether all the fields are there that make it a thing of its kind."""
        return all(name in self.values for name in SCHEMAS[self.kind].essential)

    def filled(self, found: Mapping[str, tuple[list[str], str]]) -> PageRecord:
        """With values and sources of fields that it lacks."""
        new = {name: told for name, told in found.items() if name not in self.values}
        if not new:
            return self
        values = {**self.values, **{name: texts for name, (texts, _) in new.items()}}
        sources = {
            **self.sources,
            **{name: source for name, (_, source) in new.items()},
        }
        order = [name for name in SCHEMAS[self.kind].by_name if name in values]
        return PageRecord(
            self.kind,
            {name: values[name] for name in order},
            {name: sources[name] for name in order},
        )


def declared_record(tree: Tree, schema: Schema | None = None) -> PageRecord | None:
    """What a page declares of its main thing; of a given kind, or of the first kind
    that it declares wholly.
    """
    found = [(item, "json-ld") for item in _in_sight(read_jsonld(tree))]
    found += [
        (item, "microdata") for item in _in_sight(read_microdata(tree, lines=True))
    ]
    records = [
        _record(found, kind) for kind in ([schema] if schema else SCHEMAS.values())
    ]
    declared = [record for record in records if record is not None]
    return next(
        (record for record in declared if record.complete),
        declared[0] if declared else None,
    )


def _in_sight(items: Sequence[Item]) -> Iterator[Item]:
    """All items but those that a page mentions beside its main thing."""
    pruned = [
        {key: value for key, value in item.items() if key not in _ASIDE}
        for item in items
    ]
    return walk_items(pruned)


def _record(found: Iterable[tuple[Item, str]], schema: Schema) -> PageRecord | None:
    """The fullest item of a kind, filled up from others of the same name."""
    of_kind = (
        (item, source)
        for item, source in found
        if set(type_names(item)).intersection(schema.types)
    )
    records = [
        _read(item, schema, source) for item, source in islice(of_kind, MAX_RECORDS)
    ]
    if not records:
        return None
    best = max(
        records,
        key=lambda record: (
            sum(name in record.values for name in schema.essential),
            len(record.values),
        ),
    )
    values, sources = dict(best.values), dict(best.sources)
    for other in records:
        if other.values.get("title") == best.values.get("title"):
            for name in other.values.keys() - values.keys():
                values[name], sources[name] = other.values[name], other.sources[name]
    return PageRecord(
        schema.name,
        {name: values[name] for name in schema.by_name if name in values},
        sources,
    )


def _read(item: Item, schema: Schema, source: str) -> PageRecord:
    values, sources = {}, {}
    for each in schema.fields:
        for path in each.properties:
            texts = list(_limited(_texts(_under(item, path.split(".")), each)))
            if texts:
                values[each.name], sources[each.name] = texts, f"{source} {path}"
                break
    return PageRecord(schema.name, values, sources)


def _under(item: object, path: Sequence[str]) -> object:
    """What stands under a path of properties, whose names some pages begin with a
    capital letter; of several the first.
    """
    for name in path:
        while isinstance(item, list) and item:
            item = item[0]
        if not isinstance(item, dict):
            return None
        item = item.get(name) if name in item else item.get(name[0].upper() + name[1:])
    return item


def _limited(texts: Iterable[str]) -> Iterator[str]:
    left = MAX_CHARS
    for number, text in enumerate(texts):
        if number >= MAX_VALUES or left <= 0:
            return
        yield text[:left]
        left -= len(text)


def _texts(value: object, wanted: Field) -> Iterator[str]:
    if wanted.type == "lines":
        for text in _steps(value):
            yield from filter(None, map(_trimmed, _plain(text).splitlines()))
        return
    reader = {"image": _image, "person": _name}.get(wanted.type, _text)
    for each in value if isinstance(value, list) else [value]:
        if text := _trimmed(" ".join(_plain(reader(each)).split())):
            yield text
            if wanted.type in ("image", "number", "price", "date", "duration"):
                return


def _steps(value: object) -> Iterator[str]:
    """The texts of lines in order: plain strings, steps, sections with their names,
    lists of any of them.
    """
    waiting: list[object] = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            waiting.extend(reversed(_parts_of_step(value)))
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            yield str(value)


def _parts_of_step(step: Mapping[str, Any]) -> list[object]:
    inside = step.get("itemListElement") or step.get("steps") or step.get("item")
    name, text = (
        step.get("name") or step.get("Name"),
        step.get("text") or step.get("description"),
    )
    if inside:
        return (
            [name, inside] if name and "HowToStep" not in type_names(step) else [inside]
        )
    if isinstance(name, str) and isinstance(text, str):
        said = letters_and_digits(_plain(text)).startswith(
            letters_and_digits(_plain(name))
        )
        return [text] if said or _STEP_NUMBER.fullmatch(name[:30]) else [name, text]
    return [text or name]


def _plain(text: str) -> str:
    """Text without the mark-up and the entities that strings of structured data come
    with, some of them escaped twice.
    """
    for _ in range(2):
        if "&" in text:
            text = unescape(text)
    if _MARKUP.search(text):
        tree = parse(text)
        text = plain_text(tree, tree.is_text)
    return text


def _trimmed(text: str) -> str:
    return " ".join(text.replace("\u200b", "").split())


def _text(value: object) -> str:
    if isinstance(value, dict):
        if any(part in value for part in _ADDRESS):
            return ", ".join(
                filter(None, (_text(value.get(part)) for part in _ADDRESS))
            )
        for key in ("name", "@value", "value", "text", "address", "@id"):
            if key in value:
                return (
                    _text(value[key])
                    if not isinstance(value[key], dict)
                    else _leaf(value[key])
                )
        return ""
    if isinstance(value, bool):
        return ""
    if isinstance(value, list):
        return (
            _text(value[0]) if value and not isinstance(value[0], (list, dict)) else ""
        )
    return str(value) if isinstance(value, (str, int, float)) else ""


def _leaf(value: Mapping[str, Any]) -> str:
    """The plain values of an object one after the other: an address, a quantity with
    its unit.
    """
    return ", ".join(
        str(part)
        for key, part in value.items()
        if not key.startswith("@") and isinstance(part, (str, int, float))
    )


def _name(value: object) -> str:
    if isinstance(value, dict):
        name = value.get("name")
        return (
            name
            if isinstance(name, str)
            else _name(name[0])
            if isinstance(name, list) and name
            else ""
        )
    return value if isinstance(value, str) else ""


def _image(value: object) -> str:
    if isinstance(value, dict):
        found = next(
            (value[key] for key in ("url", "contentUrl", "src", "@id") if key in value),
            "",
        )
        while isinstance(found, list) and found:
            found = found[0]
        return found if isinstance(found, str) else ""
    return value if isinstance(value, str) else ""
