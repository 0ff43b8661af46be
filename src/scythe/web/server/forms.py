"""What a form sent. The guard has read it, within limits, and made sure that it is
ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from starlette.requests import Request

FORM = "scythe.form"
"""Where the guard leaves the form in a request's scope."""
CSRF = "csrf"
"""The field of the token that proves where a form comes from."""
MAX_FIELDS = 2_000


@dataclass(frozen=True)
class Form:
    """Fields and what was written into them."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def parsed(cls, body: bytes) -> Form:
        """The fields of an `application/x-www-form-urlencoded` body; raises ValueError
        where there are too many.
        """
        fields: dict[str, list[str]] = {}
        for name, value in parse_qsl(
            body.decode("utf-8", "replace"),
            keep_blank_values=True,
            max_num_fields=MAX_FIELDS,
        ):
            fields.setdefault(name, []).append(value)
        return cls(fields)

    def get(self, name: str, default: str = "") -> str:
        """The first value of a field, without space around it."""
        return next(iter(self.fields.get(name, ())), default).strip()

    def raw(self, name: str) -> str:
        """The first value of a field as it was sent."""
        return next(iter(self.fields.get(name, ())), "")

    def all(self, name: str) -> list[str]:
        """All values of a field that are not empty."""
        return [
            value for given in self.fields.get(name, ()) if (value := given.strip())
        ]

    def number(self, name: str) -> int | None:
        """The first value of a field as a whole number; None where it is none."""
        return whole_number(self.get(name))


def form(request: Request) -> Form:
    """The form of a request; empty where it has none."""
    found: Form = request.scope.get(FORM) or Form()
    return found


def whole_number(text: str | None) -> int | None:
    """A number that somebody wrote or that stands in an address; None where it is none,
    or none that a database can hold.
    """
    try:
        number = int(text or "")
    except ValueError:
        return None
    return number if abs(number) < 2**31 else None
