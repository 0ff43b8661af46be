"""Pages from templates. Everything is escaped: no template marks a value as safe."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from scythe.urls import bare_hostname
from scythe.web.server.context import settings_of
from scythe.web.server.values import doubt_text, label

KIND_WORDS = {
    "recipe": "Recipes",
    "product": "Products",
    "article": "Articles",
    "job": "Job offers",
    "event": "Events",
    "record": "Records",
}
"""What records of the kinds that the forms offer are called."""
_STATIC = files("scythe.web") / "static"
_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))


def page(
    request: Request,
    template: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """Return a page, or a piece of one, from a template."""
    shared = {
        "path": path_of(request),
        "csrf_token": request.scope.get("scythe.csrf", ""),
        "settings": settings_of(request),
    }
    body = environment().get_template(template).render(**shared, **values)
    return HTMLResponse(body, status, headers)


def see_other(path: str) -> Response:
    """Return the answer to a form: the address of the page that it changed."""
    return RedirectResponse(path, 303)


def is_fragment(request: Request) -> bool:
    """Return whether htmx asks for a piece of a page. When somebody goes back, it asks
    for a whole one.
    """
    return (
        request.headers.get("hx-request") == "true"
        and request.headers.get("hx-history-restore-request") != "true"
    )


def path_of(request: Request) -> str:
    """Return the path that a request asks for. That of `request.url` is put together
    with the Host header, which whoever asks can make up.
    """
    return str(request.scope["path"])


def is_api(request: Request) -> bool:
    """Return whether a program asks for JSON."""
    path = path_of(request)
    return path == "/api" or path.startswith("/api/")


def error_page(
    request: Request, status: int, title: str, message: str, **values: Any
) -> Response:
    """Return what went wrong and what to do, as a page or as JSON."""
    if is_api(request):
        return JSONResponse({"error": title, "message": message}, status)
    return page(
        request,
        "error.html",
        status,
        title=title,
        message=message,
        **{"again": None, **values},
    )


@cache
def environment() -> Environment:
    """Return the templates with the filters that they use."""
    templates = Environment(
        loader=PackageLoader("scythe.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(asset=asset)
    templates.filters.update(
        ago=ago,
        day=day,
        moment=moment,
        safe_link=safe_link,
        segment=segment,
        host=host,
        pretty=pretty,
        sentence=sentence,
        kinds=kind_words,
        label=label,
        doubt=doubt_text,
    )
    return templates


@cache
def asset(name: str) -> str:
    """Return the address of a file of ours, which changes with the file, so that
    browsers may cache it for ever.
    """
    digest = hashlib.sha256((_STATIC / name).read_bytes()).hexdigest()
    return f"/static/{name}?v={digest[:12]}"


def safe_link(url: object) -> str:
    """Return an address that came from a page, if it is one of the web; else an empty
    string.
    """
    text = str(url or "").strip()
    try:
        return text if urlsplit(text).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def segment(name: object) -> str:
    """Return a name as one part of a path."""
    return quote(str(name), safe="")


def host(url: object) -> str:
    """Return the host of an address, for people."""
    return bare_hostname(str(url))


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def kind_words(kind: str) -> str:
    """Return what records of a kind are called, for people; a kind of their own as they
    wrote it.
    """
    return KIND_WORDS.get(kind.lower(), kind)


def pretty(value: Any) -> str:
    """Return plain values as JSON for people."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def moment(at: datetime | None) -> str:
    """Return a moment to the minute."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def day(at: datetime | None) -> str:
    """Return the day of a moment."""
    return "" if at is None else f"{at:%Y-%m-%d}"


def ago(at: datetime | None) -> str:
    """Return how long ago a moment was, or how soon it will be, in one rough unit."""
    if at is None:
        return "never"
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    distance = (datetime.now(UTC) - aware).total_seconds()
    if abs(distance) < 10:
        return "just now"
    amount, unit = abs(distance), "year"
    for size, name in _STEPS:
        if amount < size:
            unit = name
            break
        amount /= size
    plural = "" if int(amount) == 1 else "s"
    text = f"{int(amount)} {unit}{plural}"
    return f"{text} ago" if distance > 0 else f"in {text}"
