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
"""Fields of a form: an arbitrary cap against hostile requests."""
MAX_RESENT = 200_000
"""Characters of a form that a page carries to be sent again: a bound, not tuned."""


@dataclass(frozen=True)
class Form:
    """Fields and what was written into them."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def parse(cls, body: bytes) -> Form:
        """Return the fields of an `application/x-www-form-urlencoded` body; raises ValueError
        where there are too many.
        """
        fields: dict[str, list[str]] = {}
        text = body.decode("utf-8", "replace")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS)
        for name, value in pairs:
            fields.setdefault(name, []).append(value)
        return cls(fields)

    def get(self, name: str, default: str = "") -> str:
        """Return the first value of a field, without space around it."""
        given = self.fields.get(name, ())
        return next(iter(given), default).strip()

    def raw(self, name: str) -> str:
        """Return the first value of a field as it was sent."""
        return next(iter(self.fields.get(name, ())), "")

    def all(self, name: str) -> list[str]:
        """Return all values of a field that are not empty."""
        given = self.fields.get(name, ())
        values = [value.strip() for value in given]
        return [value for value in values if value]

    def to_resend(self) -> list[tuple[str, str]]:
        """Return all fields but the token, for a page from which they can be sent again;
        none where they are too large for one.
        """
        pairs: list[tuple[str, str]] = []
        for name, values in self.fields.items():
            if name != CSRF:
                pairs += [(name, value) for value in values]
        size = sum(len(value) for _, value in pairs)
        return pairs if size <= MAX_RESENT else []

    def number(self, name: str) -> int | None:
        """Return the first value of a field as a whole number; None where it is none."""
        return whole_number(self.get(name))


def form(request: Request) -> Form:
    """Return the form of a request; empty where it has none."""
    sent: Form = request.scope.get(FORM) or Form()
    return sent


def whole_number(text: str | None) -> int | None:
    """Return a number from a form or an address; None where it is none, or none that a
    database can hold.
    """
    try:
        number = int(text or "")
    except ValueError:
        return None
    return number if abs(number) < 2**31 else None
