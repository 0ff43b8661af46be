"""What is different between two versions of an engine, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scythe.engines.engine import Engine


def changes(old: Engine, new: Engine) -> list[str]:
    """One line for each difference that matters to whoever reads the records."""
    before, after = old.wrapper, new.wrapper
    found = [
        _moved("records", str(before.rule), str(after.rule)),
        _moved("form", str(old.form), str(new.form)),
        _moved(
            "records on a page",
            _range(before.expected.records),
            _range(after.expected.records),
        ),
        _named(
            "columns lost",
            [
                name
                for name in before.fields.columns
                if name not in after.fields.columns
            ],
        ),
        _named(
            "columns new",
            [
                name
                for name in after.fields.columns
                if name not in before.fields.columns
            ],
        ),
    ]
    if not any(found) and before.fields.as_json() != after.fields.as_json():
        found.append("fields: the same columns, at other places in a record")
    return [line for line in found if line]


def _moved(what: str, before: str, after: str) -> str:
    return "" if before == after else f"{what}: {before} -> {after}"


def _named(what: str, names: Sequence[str]) -> str:
    return f"{what}: {', '.join(names)}" if names else ""


def _range(bounds: tuple[int, int]) -> str:
    least, most = bounds
    return str(least) if least == most else f"{least} to {most}"
