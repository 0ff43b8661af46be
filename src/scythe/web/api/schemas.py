"""Shapes of JSON values in the words of JSON Schema, for requests and answers of the
API alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
YES_OR_NO: Schema = {"type": "boolean"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
ADDRESS: Schema = {"type": "string", "description": "An address of the web."}
ANYTHING: Schema = {}
VALUES: Schema = {"type": "object", "description": "Values by name."}
COUNTS: Schema = {
    "type": "object",
    "additionalProperties": {"type": "integer"},
    "description": "How many of each.",
}

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def shape(optional: Sequence[str] = (), /, **properties: Schema) -> Schema:
    """An object with these properties and no others; all must be there but the optional
    ones.
    """
    required = [name for name in properties if name not in optional]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def each(items: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """A value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def one_of(*words: str) -> Schema:
    """One of some words."""
    return {"type": "string", "enum": list(words)}


def described(schema: Schema, words: str, **more: Any) -> Schema:
    """The same shape, explained."""
    return {**schema, "description": words, **more}


def mismatch(value: Any, schema: Schema, where: str = "The request") -> str:
    """What is wrong with a value that was sent, in one sentence; nothing where it has
    the shape.
    """
    if "anyOf" in schema:
        wrong = [mismatch(value, possible, where) for possible in schema["anyOf"]]
        return "" if "" in wrong else wrong[0]
    wanted = schema.get("type")
    if wanted is not None and not _is_of(value, wanted):
        return f"{where} must be of type {wanted}."
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} must be one of: {', '.join(map(str, schema['enum']))}."
    if "minimum" in schema and value < schema["minimum"]:
        return f"{where} must be {schema['minimum']} or more."
    if "maximum" in schema and value > schema["maximum"]:
        return f"{where} must be {schema['maximum']} or less."
    if wanted == "array":
        items = [
            mismatch(item, schema.get("items", {}), f"{where}, item {place}")
            for place, item in enumerate(value, 1)
        ]
        return next(filter(None, items), "")
    return _wrong_property(value, schema, where) if wanted == "object" else ""


def _wrong_property(value: Mapping[str, Any], schema: Schema, where: str) -> str:
    known: Mapping[str, Schema] = schema.get("properties", {})
    if missing := [name for name in schema.get("required", ()) if name not in value]:
        return f"{where} lacks {', '.join(missing)}."
    if schema.get("additionalProperties") is False and (
        unknown := [name for name in value if name not in known]
    ):
        return f"{where} has {', '.join(unknown)}, which nobody knows. Known: {', '.join(known)}."
    return next(
        filter(
            None,
            (
                mismatch(value[name], known[name], name)
                for name in known
                if name in value
            ),
        ),
        "",
    )


def _is_of(value: Any, kind: str) -> bool:
    """Whether a value is of a type of JSON: there, true is no number."""
    return isinstance(value, _TYPES[kind]) and not (
        isinstance(value, bool) and kind in ("integer", "number")
    )
