"""The schema of a collection's records: which fields, in which order, of which types,
and what they must fulfil.

It is TOML that a person edits. Recipe, Product, Article and JobPosting of schema.org
are built in.

    name = "Recipe"

    [fields.title]
    type = "text"
    required = true

    [fields.cook_time]
    type = "duration"
    most = 1440
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

from scythe.collect.records.standardize.units import is_unit
from scythe.errors import ScytheError, UsageError
from scythe.templates.declared.schemas import SCHEMAS, Schema

TYPES = {
    "text": ("",),
    "lines": ("",),
    "number": ("",),
    "duration": ("",),
    "date": ("",),
    "price": ("", "_currency"),
    "quantity": ("",),
    "yield": ("", "_amount", "_to", "_unit"),
    "ingredients": ("", "_parsed"),
    "image": ("",),
    "link": ("",),
    "person": ("",),
}
"""The types of fields, and the columns that each gives, by what is put behind the
field's name.
"""

_NUMERIC = {
    ("number", ""),
    ("duration", ""),
    ("price", ""),
    ("quantity", ""),
    ("yield", "_amount"),
    ("yield", "_to"),
}
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = "record_"
"""What names of fields may not begin with: tables say with these words what is known of
a record besides its fields.
"""
MOST_FIELDS = 200


S = TypeVar("S", bound="RecordSchema")


class SchemaError(ScytheError):
    """A schema is not what it should be."""


@dataclass(frozen=True)
class FieldRule:
    """One field: its type, and what its values must fulfil."""

    name: str
    type: str = "text"
    required: bool = False
    """Whether records without it go to the review list."""
    least: float | None = None
    most: float | None = None
    """Bounds: of numbers as they are, of texts in characters, of lines in their number."""
    pattern: str = ""
    """A regular expression that a text must match from its beginning to its end."""
    choices: tuple[str, ...] = ()
    """All values that are allowed."""
    also: tuple[str, ...] = ()
    """Other names under which values of this field come, from index pages for instance."""
    unit: str = ""
    """The unit that a quantity is brought to."""
    currency: str = ""
    """The currency of prices that do not say it, or say "$" or "kr"."""
    day_first: bool = False
    """Whether 03/05/2024 is in May."""

    def columns(self) -> tuple[str, ...]:
        """The names of its columns, the main one first."""
        return tuple(self.name + suffix for suffix in TYPES[self.type])


@dataclass(frozen=True)
class Column:
    """A column of the plain table of records."""

    name: str
    kind: str
    """`text`, `number`, `list` (of texts) or `parts` (of structured lines)."""


@dataclass(frozen=True)
class RecordSchema:
    """The fields of a kind of record, in the order in which they are shown everywhere."""

    name: str
    rules: tuple[FieldRule, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, FieldRule]:
        """The fields by name, and by every other name they go under."""
        return {
            **{other: rule for rule in self.rules for other in rule.also},
            **{rule.name: rule for rule in self.rules},
        }

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns of a table of such records, in order, each once: a field of its
        own comes before a part of another.
        """
        own = {rule.name for rule in self.rules}
        found: dict[str, Column] = {}
        for rule in self.rules:
            for name in rule.columns():
                if name == rule.name or name not in own:
                    found.setdefault(
                        name,
                        Column(name, _kind(rule.type, name.removeprefix(rule.name))),
                    )
        return tuple(found.values())

    def with_field(self, name: str, type: str = "text") -> RecordSchema:  # noqa: A002 - the word of the schema
        """The same schema with a field more at its end, or with another type for one
        that it has.
        """
        rule = FieldRule(normalize_field_name(name), type)
        known = {each.name: each for each in self.rules}
        if rule.name in known:
            kept = replace(known[rule.name], type=type)
            return checked(
                replace(
                    self,
                    rules=tuple(
                        kept if each.name == rule.name else each for each in self.rules
                    ),
                )
            )
        return checked(replace(self, rules=(*self.rules, rule)))

    @classmethod
    def builtin(cls, kind: str) -> Self:
        """The schema of a kind of thing, by its name in schema.org; one without fields
        for any other kind.
        """
        schema = known_kind(kind)
        if schema is None:
            return cls(kind)
        required = {"title", *schema.essential}
        rules = [
            FieldRule(
                field.name, _TYPE_OF.get(field.name, field.type), field.name in required
            )
            for field in schema.fields
            if field.name != "currency"
        ]
        return cls(
            schema.name,
            tuple(replace(rule, **_MORE.get(rule.name, {})) for rule in rules),
        )

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """The schema that a person wrote; what is wrong with it is said with the name
        of the field.
        """
        try:
            given = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise SchemaError(f"The schema is not valid TOML: {error}.") from error
        name, described = given.pop("name", "Record"), given.pop("fields", {})
        if given or not isinstance(name, str) or not isinstance(described, dict):
            unknown = f" It has {', '.join(sorted(given))}." if given else ""
            raise SchemaError(
                f"A schema has a name and a table [fields.NAME] for each field, nothing else.{unknown}"
            )
        return checked(
            cls(
                name, tuple(_rule(field, values) for field, values in described.items())
            )
        )

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The schema in a file."""
        try:
            return cls.from_toml(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = (
                error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            )
            raise SchemaError(f"The schema {path} cannot be read: {reason}.") from error

    def as_toml(self) -> str:
        """The schema as a person edits it."""
        parts = [f"name = {_toml(self.name)}"]
        for rule in self.rules:
            given = [f"type = {_toml(rule.type)}"]
            for option in fields(FieldRule)[2:]:
                value = getattr(rule, option.name)
                if value != option.default:
                    given.append(f"{option.name} = {_toml(value)}")
            parts.append("\n".join([f"[fields.{rule.name}]", *given]))
        return "\n\n".join(parts) + "\n"


_TYPE_OF = {
    "ingredients": "ingredients",
    "yield": "yield",
    "calories": "quantity",
    "url": "link",
}
"""Fields of the vocabulary that have a type of their own here. A currency is a part of
its price.
"""
_MORE: Mapping[str, Mapping[str, Any]] = {"calories": {"unit": "kcal"}}


def normalize_field_name(name: str) -> str:
    """A name as columns of every database can have it: "Prep time" is `prep_time`."""
    made = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    if not _NAME.fullmatch(made) or made.startswith(_RESERVED):
        raise SchemaError(
            f"{name!r} cannot be the name of a field. Use up to 40 letters a to z, digits and underscores, with a letter "
            f"first, and not {_RESERVED!r} at the beginning."
        )
    return made


def checked(schema: S) -> S:
    """The schema, if it makes sense."""
    if len(schema.rules) > MOST_FIELDS:
        raise SchemaError(
            f"A schema has at most {MOST_FIELDS} fields; this one has {len(schema.rules)}."
        )
    for rule in schema.rules:
        if normalize_field_name(rule.name) != rule.name:
            raise SchemaError(
                f"Write the name of the field {rule.name!r} as {normalize_field_name(rule.name)!r}."
            )
        if rule.type not in TYPES:
            raise SchemaError(
                f"The field {rule.name} has the unknown type {rule.type!r}. There are: {', '.join(TYPES)}."
            )
        if rule.type == "quantity" and not is_unit(rule.unit):
            raise SchemaError(
                f"The field {rule.name} is a quantity and needs a unit to bring its values to, such as g, ml, kcal or cm."
            )
        try:
            re.compile(rule.pattern)
        except re.error as error:
            raise SchemaError(
                f"The pattern of the field {rule.name} is no regular expression: {error}."
            ) from error
    return schema


def _rule(name: str, given: object) -> FieldRule:
    if not isinstance(given, dict):
        raise SchemaError(f"Describe the field {name} by a table: [fields.{name}].")
    known = {option.name: option for option in fields(FieldRule)[1:]}
    values: dict[str, Any] = {}
    for option, value in given.items():
        if option not in known:
            raise SchemaError(
                f"The field {name} has the unknown option {option!r}. There are: {', '.join(known)}."
            )
        values[option] = _option(name, option, value)
    return FieldRule(name, **values)


def _option(name: str, option: str, value: object) -> Any:
    kinds = {
        "required": bool,
        "day_first": bool,
        "least": (int, float),
        "most": (int, float),
        "choices": list,
        "also": list,
    }
    wanted: Any = kinds.get(option, str)
    fits = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
    if isinstance(value, list):
        fits = fits and all(isinstance(each, str) for each in value)
        value = tuple(value)
    if not fits:
        said = {bool: "true or false", list: "a list of texts", str: "a text"}.get(
            wanted, "a number"
        )
        raise SchemaError(f"The option {option!r} of the field {name} must be {said}.")
    return value


def _kind(type_: str, suffix: str) -> str:
    if (type_, suffix) in _NUMERIC:
        return "number"
    if suffix == "_parsed":
        return "parts"
    return "list" if type_ in ("lines", "ingredients") else "text"


def _toml(value: object) -> str:
    """A value in TOML: its strings, numbers, booleans and lists are written as in JSON."""
    return json.dumps(
        list(value) if isinstance(value, tuple) else value, ensure_ascii=False
    ).replace("\x7f", "\\u007f")


def known_kind(kind: str) -> Schema | None:
    """Return the built-in schema of a kind of record, if there is one."""
    if kind.casefold() == "job":
        return SCHEMAS["JobPosting"]
    by_name = {name.casefold(): schema for name, schema in SCHEMAS.items()}
    return by_name.get(kind.casefold())


def collection_schema(kind: str, text: str | None) -> RecordSchema:
    """The schema of a collection: what a person wrote, else that of its kind."""
    if not kind.strip():
        raise UsageError("A collection needs the kind of its records, such as recipe.")
    return RecordSchema.from_toml(text) if text else RecordSchema.builtin(kind)
