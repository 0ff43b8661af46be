"""A search engine that Scythe knows how to use: `Engine.discover(url).search("hay")`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from scythe.engines.asking.results import Results
from scythe.engines.asking.search import search_engine
from scythe.engines.asking.sender import Sender
from scythe.engines.definition import EngineDefinition
from scythe.engines.discovery.discover import (
    DiscoverOptions,
    ProgressCallback,
    discover,
)


@dataclass(frozen=True)
class Engine(EngineDefinition):
    """A search engine: discovered once from the address of its page, searched often."""

    @classmethod
    def discover(
        cls,
        url: str,
        *,
        options: DiscoverOptions | None = None,
        progress: ProgressCallback | None = None,
        sender: Sender | None = None,
    ) -> Self:
        """Return the engine behind the search form of a page.

        Its form is found, sample queries are sent, a wrapper is learned and checked.
        What goes wrong is a `ScytheError` that says what to do. `progress` is called
        with each stage and its result.
        """
        definition = discover(url, options=options, progress=progress, sender=sender)
        values = {
            field.name: getattr(definition, field.name) for field in fields(definition)
        }
        return cls(**values)

    def search(
        self, query: str, pages: int = 1, *, sender: Sender | None = None
    ) -> Results:
        """Return the records for a query, of as many result pages as given and there are.

        Never fails for what an engine does: `Results.status` and `.note` say what
        happened. `sender` keeps cookies and pacing over several searches; without one,
        each search is on its own.
        """
        return search_engine(self, query, pages, sender)
