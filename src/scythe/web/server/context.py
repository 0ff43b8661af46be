"""What a request is about: the database, the settings, the collection in its path."""

from __future__ import annotations

from starlette.requests import Request

from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.web.server.settings import Settings


def collections_of(request: Request) -> Collections:
    """Return the collections of the database that the app is served from."""
    collections: Collections = request.app.state.collections
    return collections


def database_of(request: Request) -> str:
    """Return the address of the database, for the processes of jobs."""
    return collections_of(request).address


def settings_of(request: Request) -> Settings:
    """Return how the app is served."""
    settings: Settings = request.app.state.settings
    return settings


def collection_of(request: Request) -> Collection:
    """Return the collection in the path; raise `NotStored`, which becomes a page that
    says so.
    """
    return collections_of(request).get(request.path_params["name"])
