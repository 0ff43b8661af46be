"""Records as pages show them: a card in a list, and all that a record has on a page of
its own.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request

from scythe.collect.records.schema import RecordSchema
from scythe.collect.search import record_title
from scythe.collect.views import RecordRow
from scythe.web.records.highlights import Piece, highlighted, shortened, snippet
from scythe.web.server.picture_answers import pictures_of
from scythe.web.server.rendering import safe_link
from scythe.web.server.values import label, type_of, value_text

FIRST_FIELDS = (
    "start",
    "date",
    "price",
    "company",
    "location",
    "salary",
    "total_time",
    "cook_time",
    "prep_time",
    "yield",
    "brand",
    "author",
    "published",
    "rating",
    "availability",
    "section",
    "category",
)
"""What people look at first, of any kind of record."""
MAX_FACTS, MAX_FACT, MAX_SNIPPET, MAX_TITLE = 3, 60, 180, 110
"""Facts of a card, and characters of one, of the snippet and of the title: what fits,
not tuned.
"""
_TEXT_FIELDS = ("description", "text")


@dataclass(frozen=True)
class Card:
    """A record in a list."""

    record: RecordRow
    title: Sequence[Piece]
    facts: Sequence[str]
    snippet: Sequence[Piece]
    picture: str
    """The end of the address of its picture, which changes with the picture; empty
    where it has none.
    """


def record_cards(
    records: Sequence[RecordRow], schema: RecordSchema, words: str = ""
) -> list[Card]:
    """Return records as cards, with the words of a search marked. A text that several
    have, such as the motto of the site, is left out.
    """
    texts = [_text(record) for record in records]
    counts = Counter(texts)
    cards = []
    for record, text in zip(records, texts, strict=True):
        own_text = "" if counts[text] > 1 else text
        cards.append(_card(record, schema, own_text, words))
    return cards


def shown_cards(
    request: Request,
    records: Sequence[RecordRow],
    schema: RecordSchema,
    words: str = "",
) -> list[Card]:
    """Return the cards of records, without pictures that are known not to be there."""
    pictures = pictures_of(request)
    cards = []
    for card in record_cards(records, schema, words):
        fields = record_fields(card.record)
        url = picture_url(fields)
        if card.picture and pictures.is_missing(url):
            card = replace(card, picture="")
        cards.append(card)
    return cards


def record_fields(record: RecordRow) -> Mapping[str, Any]:
    """Return the values of a record to show: its good ones, else those in review."""
    return record.fields or record.pending or {}


def _text(record: RecordRow) -> str:
    fields = record_fields(record)
    for name in _TEXT_FIELDS:
        value = fields.get(name)
        if isinstance(value, str):
            return value
    return ""


def _card(record: RecordRow, schema: RecordSchema, text: str, words: str) -> Card:
    fields = record_fields(record)
    title = record_title(fields) or record.url
    left_out = [*_TEXT_FIELDS]
    if "total_time" in fields:
        left_out += ["prep_time", "cook_time"]

    facts = []
    rule_names = [rule.name for rule in schema.rules]
    for name in dict.fromkeys((*FIRST_FIELDS, *rule_names)):
        fact = "" if name in left_out else _fact(fields, name, schema)
        if fact and fact != title:
            facts.append(fact)

    if text == title:
        text = ""
    text = text or ", ".join(_items(fields.get("ingredients_parsed")))
    return Card(
        record,
        highlighted(shortened(title, MAX_TITLE), words),
        facts[:MAX_FACTS],
        snippet(text, words, MAX_SNIPPET),
        picture_version(fields),
    )


def _items(lines: Any) -> list[str]:
    """Return what the parsed lines of a list are about."""
    if not isinstance(lines, list):
        return []
    parsed = [line for line in lines if isinstance(line, dict)]
    return [str(line["item"]) for line in parsed if line.get("item")]


def _fact(fields: Mapping[str, Any], name: str, schema: RecordSchema) -> str:
    """Return a value for a card: one that is short, with its name where it would be a
    mere number or one of several times; else an empty string.
    """
    kind = type_of(name, schema)
    if kind in ("image", "link", "lines", "ingredients"):
        return ""
    text = value_text(fields, name, schema)
    if not text or len(text) > MAX_FACT or "\n" in text:
        return ""
    if name == "rating":
        return f"★ {text}"
    if kind == "duration" and name != "total_time":
        return f"{label(name).removesuffix(' time')} {text}"
    if kind in ("number", "quantity") or text.isdigit():
        return f"{label(name)} {text}"
    return text


def picture_url(fields: Mapping[str, Any]) -> str:
    """Return the address of a record's picture; empty where it has none on the web."""
    value = fields.get("image")
    return safe_link(value) if isinstance(value, str) else ""


def picture_version(fields: Mapping[str, Any]) -> str:
    """Return what changes when the picture does; empty where there is none."""
    url = picture_url(fields)
    if not url:
        return ""
    return hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:12]
