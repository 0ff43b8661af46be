"""What the web app and the command line show of collections: the rows of the database,
under names that do not depend on where the store keeps them.

`Collection` and `Collections` return them. Nothing above this room imports the store.
"""

from __future__ import annotations

from scythe.collect.progress import RunProgress
from scythe.collect.steps.link_ruling import LinkRulePreview
from scythe.store.collections.annotations import AnnotationRow
from scythe.store.collections.collections import CollectionRow
from scythe.store.collections.extractions import (
    ClusterRow,
    ExtractedPage,
    evenly_spaced,
)
from scythe.store.collections.index_pages import IndexPageRow
from scythe.store.collections.link_rules import LinkRuleRow
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
from scythe.store.operator_tables import MediaRow
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
    RuleAction,
    RuleScope,
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
    "LinkRulePreview",
    "LinkRuleRow",
    "MediaRow",
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
    "RuleAction",
    "RuleScope",
    "RunProgress",
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
