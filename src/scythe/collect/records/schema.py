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
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

from scythe.collect.records.standardize.units import is_unit
from scythe.errors import ScytheError, UsageError
from scythe.templates.declared.schemas import SCHEMAS, Schema, added_schemas

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
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
RESERVED = "record_"
"""What names of fields may not begin with: tables say with these words what is known of
a record besides its fields.
"""
MAX_FIELDS = 200
"""Fields of a schema: an arbitrary cap."""


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
    where_found: bool = False
    """Whether it is required only where some slot of the site holds it: a site without
    prices has products all the same.
    """
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
        """Return the names of its columns, the main one first."""
        suffixes = TYPES[self.type]
        return tuple(self.name + suffix for suffix in suffixes)


@dataclass(frozen=True)
class TableColumn:
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
        by_name: dict[str, FieldRule] = {}
        for rule in self.rules:
            by_name.update(dict.fromkeys(rule.also, rule))
        by_name.update((rule.name, rule) for rule in self.rules)
        return by_name

    @cached_property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns of a table of such records, in order, each once: a field of its
        own comes before a part of another.
        """
        own = {rule.name for rule in self.rules}
        columns: dict[str, TableColumn] = {}
        for rule in self.rules:
            for name in rule.columns():
                if name == rule.name or name not in own:
                    kind = _column_kind(rule.type, name.removeprefix(rule.name))
                    columns.setdefault(name, TableColumn(name, kind))
        return tuple(columns.values())

    def with_field(self, name: str, type: str = "text") -> RecordSchema:  # noqa: A002 - the word of the schema
        """Return the same schema with a field more at its end, or with another type for
        one that it has.
        """
        name = normalize_field_name(name)
        rules = list(self.rules)
        names = [rule.name for rule in rules]
        if name in names:
            index = names.index(name)
            rules[index] = replace(rules[index], type=type)
        else:
            rules.append(FieldRule(name, type))
        return check_schema(replace(self, rules=tuple(rules)))

    def requiring(self, held: Collection[str]) -> RecordSchema:
        """Return the same schema for a site whose slots hold these fields: what is
        required only where it is found, and is not, may be missing.
        """
        found = {self.by_name[name].name for name in held if name in self.by_name}
        rules = []
        for rule in self.rules:
            is_lacking = rule.where_found and rule.name not in found
            rules.append(replace(rule, required=False) if is_lacking else rule)
        return replace(self, rules=tuple(rules))

    @classmethod
    def builtin(cls, kind: str) -> Self:
        """Return the schema of a kind of record, by its name in schema.org; one without
        fields for any other kind.
        """
        schema = known_kind(kind)
        if schema is None:
            return cls(kind)
        required = {"title", *schema.essential}
        rules = []
        for field in schema.fields:
            if field.name == "currency":
                continue
            type_ = _OWN_TYPES.get(field.name, field.type)
            unit = _OWN_UNITS.get(field.name, "")
            rule = FieldRule(
                field.name,
                type_,
                field.name in required,
                field.name in _SITES_MAY_LACK,
                unit=unit,
            )
            rules.append(rule)
        return cls(schema.name, tuple(rules))

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Return the schema that a person wrote; what is wrong with it is said with the
        name of the field.
        """
        try:
            given = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise SchemaError(f"The schema is not valid TOML: {error}.") from error
        name = given.pop("name", "Record")
        described = given.pop("fields", {})
        if given or not isinstance(name, str) or not isinstance(described, dict):
            unknown = f" It has {', '.join(sorted(given))}." if given else ""
            raise SchemaError(
                "A schema has a name and a table [fields.NAME] for each field, "
                f"nothing else.{unknown}"
            )
        rules = [_parse_rule(field, values) for field, values in described.items()]
        return check_schema(cls(name, tuple(rules)))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the schema in a file."""
        try:
            return cls.from_toml(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = (
                error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            )
            raise SchemaError(f"The schema {path} cannot be read: {reason}.") from error

    def as_toml(self) -> str:
        """Return the schema as a person edits it."""
        parts = [f"name = {_toml(self.name)}"]
        for rule in self.rules:
            given = [f"type = {_toml(rule.type)}"]
            for option in fields(FieldRule)[2:]:
                value = getattr(rule, option.name)
                if value != option.default:
                    given.append(f"{option.name} = {_toml(value)}")
            lines = [f"[fields.{rule.name}]", *given]
            parts.append("\n".join(lines))
        return "\n\n".join(parts) + "\n"


_OWN_TYPES = {
    "ingredients": "ingredients",
    "yield": "yield",
    "calories": "quantity",
    "url": "link",
}
"""Fields of the vocabulary that have a type of their own here. A currency is a part of
its price.
"""
_OWN_UNITS = {"calories": "kcal"}
_SITES_MAY_LACK = frozenset({"price", "company", "start"})
"""Fields that describe a kind of thing, and that whole sites do without: catalogues
have no prices, the jobs of one company do not name it.
"""


def normalize_field_name(name: str) -> str:
    """Return a name as columns of every database can have it: "Prep time" is
    `prep_time`.
    """
    normalized = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
    if not _FIELD_NAME.fullmatch(normalized) or normalized.startswith(RESERVED):
        raise SchemaError(
            f"{name!r} cannot be the name of a field. Use up to 40 letters a to z, "
            "digits and underscores, with a letter first, "
            f"and not {RESERVED!r} at the beginning."
        )
    return normalized


def check_schema(schema: S) -> S:
    """Return the schema, if it makes sense; raise `SchemaError` otherwise."""
    if len(schema.rules) > MAX_FIELDS:
        raise SchemaError(
            f"A schema has at most {MAX_FIELDS} fields; "
            f"this one has {len(schema.rules)}."
        )
    for rule in schema.rules:
        _check_rule(rule)
    return schema


def _check_rule(rule: FieldRule) -> None:
    normalized = normalize_field_name(rule.name)
    if normalized != rule.name:
        raise SchemaError(
            f"Write the name of the field {rule.name!r} as {normalized!r}."
        )
    if rule.type not in TYPES:
        raise SchemaError(
            f"The field {rule.name} has the unknown type {rule.type!r}. "
            f"There are: {', '.join(TYPES)}."
        )
    if rule.type == "quantity" and not is_unit(rule.unit):
        raise SchemaError(
            f"The field {rule.name} is a quantity and needs a unit to bring its values "
            "to, such as g, ml, kcal or cm."
        )
    try:
        re.compile(rule.pattern)
    except re.error as error:
        raise SchemaError(
            f"The pattern of the field {rule.name} is no regular expression: {error}."
        ) from error


def _parse_rule(name: str, given: object) -> FieldRule:
    if not isinstance(given, dict):
        raise SchemaError(f"Describe the field {name} by a table: [fields.{name}].")
    known = [option.name for option in fields(FieldRule)[1:]]
    values: dict[str, Any] = {}
    for option, value in given.items():
        if option not in known:
            raise SchemaError(
                f"The field {name} has the unknown option {option!r}. "
                f"There are: {', '.join(known)}."
            )
        values[option] = _parse_option(name, option, value)
    return FieldRule(name, **values)


def _parse_option(name: str, option: str, value: object) -> Any:
    """Return the value of an option, if it is of its type; a bool is no number."""
    if option in ("required", "where_found", "day_first"):
        is_right = isinstance(value, bool)
        expected = "true or false"
    elif option in ("least", "most"):
        is_number = isinstance(value, (int, float))
        is_right = is_number and not isinstance(value, bool)
        expected = "a number"
    elif option in ("choices", "also"):
        is_right = isinstance(value, list)
        expected = "a list of texts"
    else:
        is_right = isinstance(value, str)
        expected = "a text"

    if isinstance(value, list):
        is_right = is_right and all(isinstance(item, str) for item in value)
        value = tuple(value)
    if not is_right:
        raise SchemaError(
            f"The option {option!r} of the field {name} must be {expected}."
        )
    return value


def _column_kind(type_: str, suffix: str) -> str:
    if (type_, suffix) in _NUMERIC:
        return "number"
    if suffix == "_parsed":
        return "parts"
    return "list" if type_ in ("lines", "ingredients") else "text"


def _toml(value: object) -> str:
    """Return a value in TOML: its strings, numbers, booleans and lists are written as
    in JSON.
    """
    plain = list(value) if isinstance(value, tuple) else value
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def known_kind(kind: str) -> Schema | None:
    """Return the schema of a kind of record that is built in, or that a package has added,
    if there is one.
    """
    folded = kind.casefold()
    if folded == "job":
        return SCHEMAS["JobPosting"]
    by_name = {name.casefold(): schema for name, schema in SCHEMAS.items()}
    return by_name.get(folded) or added_schemas().get(folded)


def collection_schema(kind: str, text: str | None) -> RecordSchema:
    """Return the schema of a collection: what a person wrote, else that of its kind."""
    if not kind.strip():
        raise UsageError("A collection needs the kind of its records, such as recipe.")
    return RecordSchema.from_toml(text) if text else RecordSchema.builtin(kind)
