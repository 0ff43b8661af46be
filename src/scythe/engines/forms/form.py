"""A search form as data: what a browser would send for a query, without a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self
from urllib.parse import quote, quote_plus, urlsplit, urlunsplit

from scythe.errors import UsageError
from scythe.tree.encoding import codec_of

QUERY = "{query}"
"""Where the words go in an address that takes them in its path."""
URLENCODED, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


@dataclass(frozen=True, slots=True)
class Control:
    """One name and value that is sent with every query; `kind` is the type of the
    input, `select` or `submit`.
    """

    name: str
    value: str = ""
    kind: str = "hidden"


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent to an engine."""

    url: str
    method: str = "get"
    body: bytes | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Form:
    """How an engine is asked.

    The query is the value of the control `query_name`, at its place among the
    `controls`, or before them if it is not one of them. Where `query_name` is empty,
    `action` is a template with `{query}` in it. `charset` is the one that values are
    sent in.
    """

    action: str
    query_name: str
    method: str = "get"
    controls: tuple[Control, ...] = ()
    charset: str = "utf-8"
    enctype: str = URLENCODED

    def __post_init__(self) -> None:
        if not self.query_name and QUERY not in self.action:
            raise UsageError(
                f"This form takes no query: name its field, or put {QUERY} into its address {self.action}."
            )
        if codec_of(self.charset) is None:
            raise UsageError(
                f"There is no charset {self.charset!r}. Leave it out for UTF-8."
            )

    def request(self, query: str) -> Request:
        """What a browser would send for a query."""
        pairs = self._pairs(query)
        if not self.query_name:
            action = self.action.replace(QUERY, quote(self._encoded(query), safe=""))
            return Request(_with_query(action, self._urlencoded(pairs), keep=True))
        if self.method != "post":
            return Request(
                _with_query(self.action, self._urlencoded(pairs), keep=False)
            )
        if self.enctype == MULTIPART:
            kind, body = self._multipart(pairs)
        else:
            kind, body = URLENCODED, self._urlencoded(pairs).encode("ascii")
        return Request(self.action, "post", body, {"Content-Type": kind})

    def _pairs(self, query: str) -> list[tuple[str, str]]:
        """Names and values in the order of the page."""
        pairs = [(control.name, control.value) for control in self.controls]
        if not self.query_name:
            return pairs
        place = next(
            (place for place, (name, _) in enumerate(pairs) if name == self.query_name),
            None,
        )
        if place is None:
            return [(self.query_name, query), *pairs]
        pairs[place] = (self.query_name, query)
        return pairs

    def _encoded(self, text: str) -> bytes:
        """Bytes in the form's charset; what it cannot say goes as a numeric reference,
        as browsers do.
        """
        return text.encode(codec_of(self.charset) or "utf-8", "xmlcharrefreplace")

    def _urlencoded(self, pairs: list[tuple[str, str]]) -> str:
        return "&".join(
            "=".join(quote_plus(self._encoded(part), safe="*-._") for part in pair)
            for pair in pairs
        )

    def _multipart(self, pairs: list[tuple[str, str]]) -> tuple[str, bytes]:
        boundary = (
            "scythe-"
            + sha256(repr(pairs).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        )
        parts = []
        for name, value in pairs:
            quoted = (
                self._encoded(name)
                .replace(b'"', b"%22")
                .replace(b"\r", b"%0D")
                .replace(b"\n", b"%0A")
            )
            head = f'--{boundary}\r\nContent-Disposition: form-data; name="'.encode(
                "ascii"
            )
            parts.append(head + quoted + b'"\r\n\r\n' + self._encoded(value) + b"\r\n")
        return f"{MULTIPART}; boundary={boundary}", b"".join(
            parts
        ) + f"--{boundary}--\r\n".encode("ascii")

    def __str__(self) -> str:
        sent = [
            (name, QUERY if name == self.query_name else value)
            for name, value in self._pairs(QUERY)
        ]
        shown = "&".join(f"{name}={value}" for name, value in sent)
        return f"{self.method.upper()} {self.action}" + (f" {shown}" if shown else "")

    def as_json(self) -> dict[str, Any]:
        """The form as plain values, for a file that a person can read and compare."""
        return {
            "action": self.action,
            "method": self.method,
            "query": self.query_name,
            "controls": [
                {"name": one.name, "value": one.value, "kind": one.kind}
                for one in self.controls
            ],
            "charset": self.charset,
            "enctype": self.enctype,
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """The form that `as_json` wrote."""
        try:
            controls = tuple(
                [
                    Control(str(one["name"]), str(one["value"]), str(one["kind"]))
                    for one in values["controls"]
                ]
            )
            action, query, method, charset, enctype = (
                str(values[name])
                for name in ("action", "query", "method", "charset", "enctype")
            )
            return cls(action, query, method, controls, charset, enctype)
        except (KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"This form is damaged ({error!r}). Discover the engine again."
            ) from error


def _with_query(url: str, query: str, *, keep: bool) -> str:
    """The address with a query string: instead of its own, as browsers do with forms,
    or after it.

    A template keeps what follows its `#`, which scripts may read.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return f"{url}?{query}"
    joined = "&".join(part for part in (parts.query if keep else "", query) if part)
    return urlunsplit(
        (parts.scheme, parts.netloc, parts.path, joined, parts.fragment if keep else "")
    )
