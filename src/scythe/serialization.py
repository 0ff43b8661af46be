"""What is stored as JSON files that a person can read: wrappers, templates, clusters of
pages, names once given.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

from scythe.errors import FetchError, UsageError

_DAMAGE = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    OverflowError,
)
"""What reading values of wrong types raises."""


class Serializable(ABC):
    """Something with a form in JSON, and so with files."""

    LABEL: ClassVar[str]
    """What messages call it."""
    INDENT: ClassVar[int | None] = 1
    """None for what is too long to be read line by line."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""

    @classmethod
    @abstractmethod
    def from_json(cls, values: Any) -> Self:
        """Return what `as_json` was called on; a `UsageError` for other values."""

    def as_text(self) -> str:
        """Return the content of its file."""
        return json.dumps(self.as_json(), ensure_ascii=False, indent=self.INDENT) + "\n"

    def save(self, path: str | Path) -> None:
        """Write it to a file."""
        try:
            Path(path).write_text(self.as_text(), encoding="utf-8")
        except OSError as error:
            raise FetchError(
                f"The {self.LABEL} cannot be written to {path}: {error.strerror}."
            ) from error

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote to a file."""
        try:
            values = _strict_json(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise FetchError(
                f"The {cls.LABEL} {path} cannot be read: {error.strerror}."
            ) from error
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"{path} is not a {cls.LABEL}: it is not JSON ({error})."
            ) from error

        try:
            return cls.from_json(values)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error
        except _DAMAGE as error:
            raise UsageError(
                f"{path}: this {cls.LABEL} is damaged ({error!r})."
            ) from error


def _strict_json(text: str) -> Any:
    """Return the value of a JSON text; a `ValueError` where it holds numbers or
    characters that cannot be written again.
    """
    values = json.loads(text, parse_constant=_refuse_constant)
    if "\\ud" in text.lower():  # halves of characters
        json.dumps(values, ensure_ascii=False).encode()
    return values


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
