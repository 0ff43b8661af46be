"""What the web app and the command line show of collections: the rows of the database,
under names that do not depend on where the store keeps them.

`Collection` and `Collections` return them. Nothing above this room imports the store.
"""

from __future__ import annotations

from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.collections import CollectionRow
from scythe.store.collections.extractions import (
    ClusterRow,
    ExtractedPage,
    evenly_spaced,
)
from scythe.store.collections.index_pages import IndexPageRow
from scythe.store.collections.links import LinkRow
from scythe.store.collections.overviews import (
    UNDECIDED,
    LinkFilter,
    Overview,
    Pagination,
)
from scythe.store.collections.pages import PageRow
from scythe.store.collections.records import RecordRow, RecordVersionRow, fingerprint
from scythe.store.collections.runs import NoticeRow, RunRow
from scythe.store.columns import clean_json, now
from scythe.store.leases import has_ended
from scythe.store.states import (
    CollectionState,
    FetchOutcome,
    IndexPageKind,
    LinkDecision,
    NoticeState,
    PageKind,
    PageStage,
    RecordChange,
    RecordState,
    RunState,
)

__all__ = [
    "UNDECIDED",
    "AnnotationRow",
    "ClusterRow",
    "CollectionRow",
    "CollectionState",
    "ExtractedPage",
    "FetchOutcome",
    "IndexPageKind",
    "IndexPageRow",
    "LinkDecision",
    "LinkFilter",
    "LinkRow",
    "NoticeRow",
    "NoticeState",
    "Overview",
    "PageKind",
    "PageRow",
    "PageStage",
    "Pagination",
    "RecordChange",
    "RecordRow",
    "RecordState",
    "RecordVersionRow",
    "RunRow",
    "RunState",
    "clean_json",
    "evenly_spaced",
    "fingerprint",
    "is_held",
    "now",
]


def is_held(collection: CollectionRow) -> bool:
    """Return whether a process works on a collection, as far as this machine can tell."""
    return collection.holder is not None and not has_ended(collection.holder)
