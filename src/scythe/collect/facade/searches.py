"""Searches in a collection's records that somebody keeps under a name."""

from __future__ import annotations

from scythe.collect.context import StateKey
from scythe.collect.facade.base import CollectionPart
from scythe.errors import UsageError

MAX_SEARCHES = 50
MAX_NAME = 80
"""Searches of a collection, and characters of a name: bounds on what is shown."""


class CollectionSearches(CollectionPart):
    """The saved searches of a collection."""

    def saved_searches(self) -> dict[str, str]:
        """Return the saved searches by name, each as its address from the question mark
        on: `?q=soup&f.category=Dinner`.
        """
        return dict(self._context.load_state(StateKey.SEARCHES) or {})

    def save_search(self, name: str, query: str) -> None:
        """Keep a search, in place of one of the same name."""
        name = " ".join(name.split())
        is_long = len(name) > MAX_NAME
        if not name or is_long or not name.isprintable():
            raise UsageError(f"Give the search a name of up to {MAX_NAME} characters.")
        with self.store.writing():
            searches = self.saved_searches()
            searches[name] = query
            if len(searches) > MAX_SEARCHES:
                raise UsageError(
                    f"{self.row.name} has {MAX_SEARCHES} saved searches. Remove one."
                )
            self._context.store_state(StateKey.SEARCHES, searches)

    def remove_search(self, name: str) -> None:
        """Remove a saved search; one that is not there stays away."""
        with self.store.writing():
            searches = self.saved_searches()
            searches.pop(name, None)
            self._context.store_state(StateKey.SEARCHES, searches)
