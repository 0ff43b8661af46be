"""Settings of a collection: name, kind, address, crawl speed, schedule, start pages, and
whom it notifies.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.publish.notify import Notification
from scythe.errors import ScytheError, UsageError
from scythe.urls import completed_url, require_public
from scythe.web.collections.views import KINDS, overview_of, seconds, usable_name
from scythe.web.server.context import collection_of, settings_of
from scythe.web.server.forms import Form, form
from scythe.web.server.rendering import page, see_other, segment

SCHEDULES = {
    "adaptive": "As often as its index pages change",
    "every 1 hour": "Every hour",
    "every 6 hours": "Every 6 hours",
    "every 1 day": "Every day",
    "every 1 week": "Every week",
    "never": "Only when I run it",
}
"""Schedules that the page offers; another can be written."""


def show_settings(request: Request, error: str = "", done: str = "") -> Response:
    """Show the settings, with what is wrong or what was done."""
    collection = collection_of(request)
    sent = form(request)
    return page(
        request,
        "collections/settings.html",
        400 if error else 200,
        overview=overview_of(request),
        values=sent if error and sent.get("name") else _stored_values(collection),
        kinds=KINDS,
        schedules=SCHEDULES,
        next_visit=collection.next_visit(),
        start_pages=collection.start_pages()[1:],
        notifications=_notifications(collection),
        is_paused=collection.row.state == "paused",
        error=error,
        done=done,
    )


def store_settings(request: Request) -> Response:
    """Store what the form has."""
    collection, sent = collection_of(request), form(request)
    try:
        url = completed_url(sent.get("url"))
        if url != collection.row.url and not settings_of(request).allow_private:
            require_public(url)
        collection.change(
            name=usable_name(sent.get("name")),
            kind=sent.get("kind") or None,
            url=url,
            paused=bool(sent.get("paused")),
            delay=seconds(sent.get("delay")),
            max_pages=sent.number("max_pages"),
            schedule=_schedule(sent),
        )
    except ScytheError as error:
        return show_settings(request, str(error))
    name = collection.row.name
    return see_other(f"/collections/{segment(name)}/settings?saved=1")


def change_start_pages(request: Request) -> Response:
    """Add a start page, or take one away."""
    collection, sent = collection_of(request), form(request)
    url = completed_url(sent.get("start"))
    try:
        if sent.get("what") == "remove":
            collection.remove_start_page(url)
        else:
            if not settings_of(request).allow_private:
                require_public(url)
            collection.add_start_page(url)
    except ScytheError as error:
        return show_settings(request, str(error))
    return _back(collection)


def change_notifications(request: Request) -> Response:
    """Add a notification, send a test, or remove one."""
    collection, sent = collection_of(request), form(request)
    stored = _notifications(collection)
    try:
        if sent.get("what") == "add":
            stored.append(_new_notification(request, sent))
            collection.change(notify=stored)
            return _back(collection)
        number = sent.number("number")
        if number is None or not 0 <= number < len(stored):
            raise UsageError("There is no such notification. Reload the page.")
        if sent.get("what") == "remove":
            del stored[number]
            collection.change(notify=stored or None)
            return _back(collection)
        notification = Notification.from_json(stored[number])
        notification.send(collection.row, [])
    except ScytheError as error:
        return show_settings(request, str(error))
    return show_settings(request, done=f"A test was sent to {notification.target}.")


def _new_notification(request: Request, sent: Form) -> dict[str, Any]:
    """Return the notification that a form asks for. Commands are for whoever has the
    machine: `scythe collect set`.
    """
    target = sent.get("target")
    if "@" in target and "://" not in target:
        given = {"mail": target, "smtp": sent.get("smtp") or "smtp://localhost"}
    else:
        target = completed_url(target)
        given = {"webhook": target, "secret": sent.raw("secret").strip()}
        if not settings_of(request).allow_private:
            require_public(target)
    allowed: dict[str, Any] = {name: value for name, value in given.items() if value}
    if "webhook" in allowed and settings_of(request).allow_private:
        allowed["private"] = True
    Notification.from_json(allowed)
    return allowed


def _notifications(collection: Collection) -> list[dict[str, Any]]:
    notifications = collection.row.settings.get("notify") or ()
    return [dict(given) for given in notifications]


def _schedule(sent: Form) -> str | None:
    written = sent.get("own_schedule") or sent.get("schedule")
    return written if written and written != "adaptive" else None


def _stored_values(collection: Collection) -> Form:
    row = collection.row
    values = {
        "name": row.name,
        "kind": row.kind,
        "url": row.url,
        "delay": row.settings.get("delay", ""),
        "max_pages": row.settings.get("max_pages", ""),
        "schedule": row.settings.get("schedule", "adaptive"),
    }
    return Form({name: [str(value)] for name, value in values.items()})


def _back(collection: Collection) -> Response:
    return see_other(f"/collections/{segment(collection.row.name)}/settings?saved=1")


_PATH = "/collections/{name}/settings"
routes = [
    Route(_PATH, show_settings),
    Route(_PATH, store_settings, methods=["POST"]),
    Route(f"{_PATH}/start", change_start_pages, methods=["POST"]),
    Route(f"{_PATH}/notify", change_notifications, methods=["POST"]),
]
