"""Answers with a picture of a collection's site, or with a quiet placeholder."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from scythe.collect.collection import Collection
from scythe.web.server.context import settings_of
from scythe.web.server.pictures import Pictures, private_addresses
from scythe.web.server.rendering import asset, safe_link

_CACHE_FOREVER = "private, max-age=31536000, immutable"
_CACHE_SHORTLY = "private, max-age=300"


def picture_response(
    request: Request, collection: Collection, url: str, *, is_current: bool = False
) -> Response:
    """Return the picture at an address, or ours where there is none; one whose address
    in the app changes with it is cached for ever.
    """
    picture = None
    if safe_link(url):
        in_settings = bool(collection.row.settings.get("private"))
        allow_private = settings_of(request).allow_private or in_settings
        allows = private_addresses(collection.row.url, allow_private=allow_private)
        picture = pictures_of(request).get(url, allows)
    if picture is None:
        location = asset("no-picture.svg")
        headers = {"Location": location, "Cache-Control": _CACHE_SHORTLY}
        return Response(status_code=307, headers=headers)

    headers = {
        "Cache-Control": _CACHE_FOREVER if is_current else _CACHE_SHORTLY,
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(picture.data, media_type=f"image/{picture.kind}", headers=headers)


def pictures_of(request: Request) -> Pictures:
    """Return the pictures that the app caches."""
    state = request.app.state
    if not hasattr(state, "pictures"):
        state.pictures = Pictures()
    pictures: Pictures = state.pictures
    return pictures
