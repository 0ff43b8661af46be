"""Pages from templates. Everything is escaped unless a template is asked to trust it,
and none is.
"""

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

_STATIC = files("scythe.web") / "static"
_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))


def page(
    request: Request,
    template: str,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """A page, or a piece of one, from a template."""
    shared = {
        "path": request.url.path,
        "csrf_token": request.scope.get("scythe.csrf", ""),
        "settings": settings_of(request),
    }
    body = environment().get_template(template).render(**shared, **values)
    return HTMLResponse(body, status, headers)


def see_other(path: str) -> Response:
    """After a form was taken: show the page that it changed."""
    return RedirectResponse(path, 303)


def is_fragment(request: Request) -> bool:
    """Whether htmx asks, for a piece of a page. When somebody goes back, it asks for a
    whole one.
    """
    return (
        request.headers.get("hx-request") == "true"
        and request.headers.get("hx-history-restore-request") != "true"
    )


def is_api(request: Request) -> bool:
    """Whether a program asks, for JSON."""
    return request.url.path == "/api" or request.url.path.startswith("/api/")


def error_page(
    request: Request, status: int, title: str, message: str, **values: Any
) -> Response:
    """What went wrong and what to do, as a page or as JSON."""
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
    """Templates and what they can use."""
    made = Environment(
        loader=PackageLoader("scythe.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(asset=asset)
    made.filters.update(
        ago=ago,
        day=day,
        moment=moment,
        safe_link=safe_link,
        segment=segment,
        host=host,
        pretty=pretty,
    )
    return made


@cache
def asset(name: str) -> str:
    """The address of a file of ours, which changes with the file, so that browsers may
    keep it for ever.
    """
    return f"/static/{name}?v={hashlib.sha256((_STATIC / name).read_bytes()).hexdigest()[:12]}"


def safe_link(url: object) -> str:
    """An address that came from a page, fit for a link: nothing but the web."""
    text = str(url or "").strip()
    try:
        return text if urlsplit(text).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def segment(name: object) -> str:
    """A name as one part of a path."""
    return quote(str(name), safe="")


def host(url: object) -> str:
    """The site of an address, for people."""
    return bare_hostname(str(url))


def pretty(value: Any) -> str:
    """Plain values as JSON for people."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def moment(at: datetime | None) -> str:
    """A moment to the minute."""
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def day(at: datetime | None) -> str:
    """A day."""
    return "" if at is None else f"{at:%Y-%m-%d}"


def ago(at: datetime | None) -> str:
    """How long ago something was, or how soon it will be, in one rough unit."""
    if at is None:
        return "never"
    distance = (
        datetime.now(UTC) - (at if at.tzinfo else at.replace(tzinfo=UTC))
    ).total_seconds()
    if abs(distance) < 10:
        return "just now"
    amount, unit = abs(distance), "year"
    for size, name in _STEPS:
        if amount < size:
            unit = name
            break
        amount /= size
    told = f"{int(amount)} {unit}{'' if int(amount) == 1 else 's'}"
    return f"{told} ago" if distance > 0 else f"in {told}"
