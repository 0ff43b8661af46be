"""The values of structured data as plain texts: mark-up and entities inside strings,
steps in sections, addresses in parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import Any

from scythe.content.metadata.jsonld import type_names
from scythe.templates.declared.schemas import SchemaField
from scythe.tree.parse import parse
from scythe.tree.text import letters_and_digits, plain_text

MAX_VALUES = 1_000
MAX_CHARS = 200_000
"""Values of a field, and characters of all of them. Arbitrary caps against hostile
pages.
"""

_MARKUP = re.compile(r"<[a-zA-Z/!]")
_VOCABULARY = re.compile(r"https?://(?:www\.)?schema\.org/(?=\w+$)")
"""Before the words of enumerations: `https://schema.org/InStock`."""
_STEP_NUMBER = re.compile(r"\W*[^\W\d]*\W*\d+\W*")
"""Names that say nothing but which step it is, in any language: "Step 3"."""
_MAX_STEP_NUMBER = 30
_SINGLE_VALUE_TYPES = ("image", "number", "price", "date", "duration")
_ADDRESS = (
    "streetAddress",
    "postalCode",
    "addressLocality",
    "addressRegion",
    "addressCountry",
)
_TEXT_KEYS = ("name", "@value", "value", "text", "address", "@id")
_IMAGE_KEYS = ("url", "contentUrl", "src")


def declared_texts(item: object, path: str, field: SchemaField) -> list[str]:
    """Return the texts of a field that stand under a path of properties of an item."""
    value = _value_at(item, path.split("."))
    return list(_limited(_field_texts(value, field)))


def _value_at(item: object, path: Sequence[str]) -> object:
    """Return what stands under a path of properties, whose names some pages begin with
    a capital letter; of several the first.
    """
    for name in path:
        while isinstance(item, list) and item:
            item = item[0]
        if not isinstance(item, dict):
            return None
        if name not in item:
            name = name[0].upper() + name[1:]
        item = item.get(name)
    return item


def _limited(texts: Iterable[str]) -> Iterator[str]:
    left = MAX_CHARS
    for number, text in enumerate(texts):
        if number >= MAX_VALUES or left <= 0:
            return
        yield text[:left]
        left -= len(text)


def _field_texts(value: object, field: SchemaField) -> Iterator[str]:
    if field.type == "lines":
        for text in _steps(value):
            lines = _plain(text).splitlines()
            yield from filter(None, map(_collapsed, lines))
        return

    for part in value if isinstance(value, list) else [value]:
        if field.type == "image":
            written = _image(part)
        elif field.type == "person":
            written = _name(part)
        else:
            written = _text(part)
        plain = " ".join(_plain(written).split())
        if text := _collapsed(plain):
            yield text
            if field.type in _SINGLE_VALUE_TYPES:
                return


def _steps(value: object) -> Iterator[str]:
    """Yield the texts of lines in order: plain strings, steps, sections with their
    names, lists of any of them.
    """
    waiting: list[object] = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            waiting.extend(reversed(_step_parts(value)))
        elif isinstance(value, bool):
            continue
        elif isinstance(value, (str, int, float)):
            yield str(value)


def _step_parts(step: Mapping[str, Any]) -> list[object]:
    """Return the texts and parts of a step or section, without names that say nothing."""
    inside = step.get("itemListElement") or step.get("steps") or step.get("item")
    name = step.get("name") or step.get("Name")
    text = step.get("text") or step.get("description")
    if "PropertyValue" in type_names(step):
        value = _text(step.get("value"))
        return [f"{_text(name)}: {value}"]
    if inside:
        is_section = "HowToStep" not in type_names(step)
        if name and is_section:
            return [name, inside]
        return [inside]
    if not isinstance(name, str) or not isinstance(text, str):
        return [text or name]

    plain_name = letters_and_digits(_plain(name))
    begins_text = letters_and_digits(_plain(text)).startswith(plain_name)
    is_number = _STEP_NUMBER.fullmatch(name[:_MAX_STEP_NUMBER]) is not None
    if begins_text or is_number:
        return [text]
    return [name, text]


def _plain(text: str) -> str:
    """Return text without the mark-up and the entities that strings of structured data
    come with, some of them escaped twice.
    """
    for _ in range(2):
        if "&" in text:
            text = unescape(text)
    if _MARKUP.search(text):
        tree = parse(text)
        text = plain_text(tree, tree.is_text)
    return text


def _collapsed(text: str) -> str:
    return " ".join(text.replace("\u200b", "").split())


def _text(value: object) -> str:
    if isinstance(value, dict):
        return _text_of_item(value)
    if isinstance(value, bool):
        return ""
    if isinstance(value, list):
        if not value or isinstance(value[0], (list, dict)):
            return ""
        return _text(value[0])
    if isinstance(value, (str, int, float)):
        return _VOCABULARY.sub("", str(value))
    return ""


def _text_of_item(item: Mapping[str, Any]) -> str:
    if any(part in item for part in _ADDRESS):
        parts = [_text(item.get(part)) for part in _ADDRESS]
        return ", ".join(filter(None, parts))
    for key in _TEXT_KEYS:
        if key in item:
            inner = item[key]
            if isinstance(inner, dict):
                return _plain_values(inner)
            return _text(inner)
    return ""


def _plain_values(item: Mapping[str, Any]) -> str:
    """Return the plain values of an object one after the other: an address, a quantity
    with its unit.
    """
    parts: list[str] = []
    for key, value in item.items():
        is_plain = isinstance(value, (str, int, float))
        if is_plain and not key.startswith("@"):
            parts.append(str(value))
    return ", ".join(parts)


def _name(value: object) -> str:
    if not isinstance(value, dict):
        if isinstance(value, str):
            return value
        return ""
    name = value.get("name")
    if isinstance(name, list) and name:
        return _name(name[0])
    if isinstance(name, str):
        return name
    return ""


def _image(value: object) -> str:
    if not isinstance(value, dict):
        if isinstance(value, str):
            return value
        return ""
    address: object = ""
    for key in _IMAGE_KEYS:
        if key in value:
            address = value[key]
            break
    else:
        # A name with a fragment is that of an item of the page's data, not a file.
        identifier = value.get("@id")
        if isinstance(identifier, str) and "#" not in identifier:
            address = identifier
    while isinstance(address, list) and address:
        address = address[0]
    if isinstance(address, str):
        return address
    return ""
