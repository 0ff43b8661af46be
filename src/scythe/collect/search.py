"""Searches in the records of a collection, as the web app asks them: words, values and
numbers, with the facets of what was found.

`Collection.search` is the search of one collection. Nothing above this room imports the
store.
"""

from __future__ import annotations

from scythe.store.search.bitmaps import Numbers
from scythe.store.search.documents import (
    NumberColumn,
    NumberKind,
    facet_term,
    facet_terms,
    record_title,
)
from scythe.store.search.facet_counts import (
    SHOWN,
    FacetCounts,
    NumberCounts,
    ValueCount,
)
from scythe.store.search.query import (
    CHANGED_FIRST,
    NEWEST,
    PRESENT,
    RELEVANCE,
    TITLE,
    FacetFilter,
    NumberRange,
    RecordQuery,
    Search,
    SearchResult,
)

__all__ = [
    "CHANGED_FIRST",
    "NEWEST",
    "PRESENT",
    "RELEVANCE",
    "SHOWN",
    "TITLE",
    "FacetCounts",
    "FacetFilter",
    "NumberColumn",
    "NumberCounts",
    "NumberKind",
    "NumberRange",
    "Numbers",
    "RecordQuery",
    "Search",
    "SearchResult",
    "ValueCount",
    "facet_term",
    "facet_terms",
    "record_title",
]
