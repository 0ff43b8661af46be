"""A search in the records of all collections at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.search import RecordQuery
from scythe.collect.views import CollectionRow
from scythe.web.records.cards import Card, shown_cards
from scythe.web.records.search import MAX_LENGTH
from scythe.web.server.context import collections_of
from scythe.web.server.rendering import page

SHOWN = 6
"""Records of each collection: what can be taken in at a glance, not tuned."""


@dataclass(frozen=True)
class Found:
    """What one collection has."""

    row: CollectionRow
    total: int
    cards: Sequence[Card]

    @property
    def has_pictures(self) -> bool:
        """Whether any of its cards has one."""
        return any(card.picture for card in self.cards)


def find_everywhere(request: Request) -> Response:
    """Show the records of all collections that have some words: of each collection the
    best, the collections with most first.
    """
    words = request.query_params.get("q", "").strip()[:MAX_LENGTH]
    collections = collections_of(request)
    found = []
    for row in collections.all() if words else ():
        collection = collections.get(row.name)
        result = collection.search.find(RecordQuery(words), 0, SHOWN)
        if result.total:
            records = list(collection.search.records(result.records))
            cards = shown_cards(request, records, collection.schema, words)
            found.append(Found(row, result.total, cards))
    found.sort(key=lambda hit: (-hit.total, hit.row.name))
    return page(request, "records/everywhere.html", words=words, found=found)


routes = [Route("/records", find_everywhere)]
