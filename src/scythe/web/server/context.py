"""What a request is about: the database, the settings, the collection that its path
names.
"""

from __future__ import annotations

from starlette.requests import Request

from scythe.collect.collection import Collection
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.web.server.settings import Settings


def store_of(request: Request) -> Store:
    """The database that the app is served from."""
    store: Store = request.app.state.store
    return store


def settings_of(request: Request) -> Settings:
    """How the app is served."""
    settings: Settings = request.app.state.settings
    return settings


def collection_of(request: Request) -> Collection:
    """The collection in the path; raises `NotStored`, which becomes a page that says
    so.
    """
    store = store_of(request)
    return Collection(store, CollectionRows(store).get(request.path_params["name"]))
