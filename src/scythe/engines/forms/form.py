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
"""Marks where the query goes in an address that takes it in its path."""
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
TYPED = "type"
"""The method of a form that a script handles: a query is typed into its field, and sent
nowhere.
"""


@dataclass(frozen=True, slots=True)
class Control:
    """A name and a value that are sent with every query.

    `kind` is the type of the input, `select` or `submit`.
    """

    name: str
    value: str = ""
    kind: str = "hidden"


@dataclass(frozen=True, slots=True)
class Request:
    """A request to an engine."""

    url: str
    method: str = "get"
    body: bytes | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SearchForm:
    """The way a query is sent to an engine.

    By the method `type` it is typed into the field of the page `action` that the CSS
    selector `query_name` names.

    The query is the value of the control `query_name`, at its position among the
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
                f"This form takes no query: name its field, or put {QUERY} into its"
                f" address {self.action}."
            )
        if codec_of(self.charset) is None:
            raise UsageError(
                f"There is no charset {self.charset!r}. Leave it out for UTF-8."
            )

    def request(self, query: str) -> Request:
        """Return what a browser would send for a query, or type."""
        if self.method == TYPED:
            field = {"field": self.query_name}
            return Request(self.action, TYPED, query.encode("utf-8", "replace"), field)
        pairs = self._pairs(query)
        if not self.query_name:
            quoted_query = quote(self._encode(query), safe="")
            action = self.action.replace(QUERY, quoted_query)
            url = _with_query(action, self._urlencode(pairs), keep=True)
            return Request(url)

        if self.method != "post":
            query_string = self._urlencode(pairs)
            url = _with_query(self.action, query_string, keep=False)
            return Request(url)

        if self.enctype == MULTIPART:
            content_type, body = self._multipart(pairs)
        else:
            content_type = URLENCODED
            body = self._urlencode(pairs).encode("ascii")
        headers = {"Content-Type": content_type}
        return Request(self.action, "post", body, headers)

    def _pairs(self, query: str) -> list[tuple[str, str]]:
        """Return names and values in the order of the page."""
        pairs = [(control.name, control.value) for control in self.controls]
        if not self.query_name:
            return pairs

        for index, (name, _) in enumerate(pairs):
            if name == self.query_name:
                pairs[index] = (name, query)
                return pairs
        return [(self.query_name, query), *pairs]

    def _encode(self, text: str) -> bytes:
        """Return a text in the form's charset.

        What the charset cannot express goes as a numeric reference, as browsers do.
        """
        codec = codec_of(self.charset) or "utf-8"
        return text.encode(codec, "xmlcharrefreplace")

    def _urlencode(self, pairs: list[tuple[str, str]]) -> str:
        encoded = []
        for name, value in pairs:
            quoted_name = quote_plus(self._encode(name), safe="*-._")
            quoted_value = quote_plus(self._encode(value), safe="*-._")
            encoded.append(f"{quoted_name}={quoted_value}")
        return "&".join(encoded)

    def _multipart(self, pairs: list[tuple[str, str]]) -> tuple[str, bytes]:
        """Return the content type and the body; the boundary depends on the body alone."""
        content = repr(pairs).encode("utf-8", "surrogatepass")
        digest = sha256(content).hexdigest()
        boundary = f"scythe-{digest[:32]}"
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="'.encode("ascii")

        body = bytearray()
        for name, value in pairs:
            quoted_name = self._encode(name).replace(b'"', b"%22")
            quoted_name = quoted_name.replace(b"\r", b"%0D").replace(b"\n", b"%0A")
            body += head + quoted_name + b'"\r\n\r\n'
            body += self._encode(value) + b"\r\n"
        body += f"--{boundary}--\r\n".encode("ascii")
        return f"{MULTIPART}; boundary={boundary}", bytes(body)

    def __str__(self) -> str:
        line = f"{self.method.upper()} {self.action}"
        pairs = []
        for name, value in self._pairs(QUERY):
            shown_value = QUERY if name == self.query_name else value
            pairs.append(f"{name}={shown_value}")
        if not pairs:
            return line
        joined = "&".join(pairs)
        return f"{line} {joined}"

    def as_json(self) -> dict[str, Any]:
        """Return the form as plain values, for a file that a person can read."""
        controls = [
            {"name": control.name, "value": control.value, "kind": control.kind}
            for control in self.controls
        ]
        return {
            "action": self.action,
            "method": self.method,
            "query": self.query_name,
            "controls": controls,
            "charset": self.charset,
            "enctype": self.enctype,
        }

    @classmethod
    def from_json(cls, values: Any) -> Self:
        """Return the form that `as_json` wrote."""
        try:
            controls = [_control_from_json(control) for control in values["controls"]]
            return cls(
                action=str(values["action"]),
                query_name=str(values["query"]),
                method=str(values["method"]),
                controls=tuple(controls),
                charset=str(values["charset"]),
                enctype=str(values["enctype"]),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"This form is damaged ({error!r}). Discover the engine again."
            ) from error


def _control_from_json(values: Any) -> Control:
    return Control(
        name=str(values["name"]),
        value=str(values["value"]),
        kind=str(values["kind"]),
    )


def template_form(template: str, charset: str = "utf-8") -> SearchForm | None:
    """Return the form of an address with `{query}` in it, None where it has none."""
    if QUERY not in template:
        return None
    return SearchForm(template, "", charset=charset)


def _with_query(url: str, query: str, *, keep: bool) -> str:
    """Return the address with a query string, and with its own one where it is to `keep`.

    Browsers replace an action's own query string; a template keeps it, and what follows
    its `#`, which scripts may read.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return f"{url}?{query}"
    if keep:
        own_and_new = filter(None, [parts.query, query])
        joined = "&".join(own_and_new)
        return urlunsplit(parts._replace(query=joined))
    return urlunsplit(parts._replace(query=query, fragment=""))
