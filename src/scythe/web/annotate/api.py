"""Annotation for programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import AnnotationChange as SlotChange
from scythe.collect.views import AnnotationRow
from scythe.web.annotate.annotation_view import (
    AnnotationView,
    SlotView,
    require_view,
)
from scythe.web.api.route import ApiRoute, Body, Query, body_of, query_of
from scythe.web.api.types import Count, Url
from scythe.web.server.context import collection_of
from scythe.web.server.record_updates import start_update

Action = Literal["name", "split", "ignore", "notice", "accept"]
_CLUSTER = msgspec.Meta(
    ge=0, description="Pages of one template; by default the largest cluster."
)
_VERSION = msgspec.Meta(
    ge=0, description="The version that was seen; another one is refused with 409."
)


class AnnotationsAnswer(msgspec.Struct):
    """The annotations of a collection."""

    version: Count
    what: str
    names: Annotated[
        dict[str, Any], msgspec.Meta(description="Field and type by slot.")
    ]
    ignored: list[str]
    annotated_at: datetime | None
    finished: Annotated[
        bool, msgspec.Meta(description="Whether all records show them.")
    ]


class SuggestionAnswer(msgspec.Struct):
    """A field suggested for a slot, with its evidence."""

    name: str
    confidence: float
    evidence: str


class SlotAnswer(msgspec.Struct):
    """A slot of the template."""

    slot: str
    field: str | None
    type: str | None
    state: str
    label: str
    support: Count
    values: Annotated[
        int, msgspec.Meta(ge=0, description="The most values that a page has.")
    ]
    examples: list[str]
    suggestion: SuggestionAnswer | None


class ClusterAnswer(msgspec.Struct):
    """A cluster of pages."""

    cluster: Count
    pages: Count


class SlotsAnswer(msgspec.Struct):
    """The slots of a cluster of pages."""

    cluster: Count
    clusters: list[ClusterAnswer]
    sampled: Annotated[
        int, msgspec.Meta(ge=0, description="Pages that the counts are from.")
    ]
    total: Count
    annotations: AnnotationsAnswer
    slots: list[SlotAnswer]


class RecordDifferenceAnswer(msgspec.Struct):
    """A record before and after a change."""

    url: Url
    before: Any
    after: Any


class PreviewAnswer(msgspec.Struct):
    """What a change would do to records."""

    what: str
    sampled: Count
    total: Count
    changed: Count
    fields: Annotated[
        dict[str, Any],
        msgspec.Meta(
            description="Records with each field that changes, before and after."
        ),
    ]
    review: list[Count]
    differences: list[RecordDifferenceAnswer]


class AnnotationChangeAnswer(msgspec.Struct):
    """A change of annotations."""

    version: Count
    what: str
    annotated_at: datetime | None


class ChangeBody(Body, kw_only=True):
    """A change of annotations."""

    what: Annotated[
        Action,
        msgspec.Meta(
            description="`accept` accepts all suggestions; `split` takes a name away."
        ),
    ]
    slots: list[str] = msgspec.field(default_factory=list)
    name: str = ""
    type: str = ""
    version: Annotated[int, _VERSION] | None = None
    cluster: Annotated[int, _CLUSTER] | None = None


class VersionBody(Body):
    """The version that an undo or redo starts from."""

    version: Annotated[int, _VERSION] | None = None


class ClusterQuery(Query):
    """Which cluster to return."""

    cluster: Annotated[int, _CLUSTER] | None = None


class HistoryQuery(Query):
    """How much of the history to return."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50


def slots(request: Request) -> SlotsAnswer:
    """Return the slots of a cluster."""
    cluster = query_of(request, ClusterQuery).cluster
    view = require_view(collection_of(request), cluster)
    clusters = [ClusterAnswer(row.cluster, row.pages) for row in view.clusters]
    return SlotsAnswer(
        cluster=view.cluster.cluster,
        clusters=clusters,
        sampled=view.survey.sampled,
        total=view.survey.total,
        annotations=_annotations(
            view.annotation, finished=view.collection.records_are_current()
        ),
        slots=[_slot_answer(slot) for slot in view.slots],
    )


def change(request: Request) -> AnnotationsAnswer:
    """Store a change of annotations."""
    body = body_of(request, ChangeBody)
    collection = collection_of(request)
    view = require_view(collection, body.cluster)
    asked = _change(body, view)
    collection.store_annotation(asked, body.version, view.order)
    return _updated(request, collection, view)


def preview_change(request: Request) -> PreviewAnswer:
    """Return what a change would do."""
    body = body_of(request, ChangeBody)
    view = require_view(collection_of(request), body.cluster)
    asked = _change(body, view)
    effect = view.collection.preview(asked, view.order)
    differences = [
        RecordDifferenceAnswer(difference.url, difference.before, difference.after)
        for difference in effect.differences
    ]
    return PreviewAnswer(
        what=effect.description,
        sampled=effect.sampled,
        total=effect.total,
        changed=effect.changed,
        fields={name: list(counts) for name, counts in effect.fields.items()},
        review=list(effect.in_review),
        differences=differences,
    )


def undo(request: Request) -> AnnotationsAnswer:
    """Undo one change."""
    collection = collection_of(request)
    view = require_view(collection, None)
    collection.undo_annotation(body_of(request, VersionBody).version)
    return _updated(request, collection, view)


def redo(request: Request) -> AnnotationsAnswer:
    """Redo one change."""
    collection = collection_of(request)
    view = require_view(collection, None)
    collection.redo_annotation(body_of(request, VersionBody).version)
    return _updated(request, collection, view)


def history(request: Request) -> list[AnnotationChangeAnswer]:
    """Return the changes, the newest first."""
    view = require_view(collection_of(request), None)
    rows = view.collection.annotation_history(query_of(request, HistoryQuery).limit)
    return [AnnotationChangeAnswer(row.version, row.what, row.made_at) for row in rows]


def _updated(
    request: Request, collection: Collection, view: AnnotationView
) -> AnnotationsAnswer:
    start_update(request, collection)
    latest = collection.annotation
    return _annotations(latest, finished=view.collection.records_are_current())


def _change(body: ChangeBody, view: AnnotationView) -> SlotChange:
    if body.what == "accept":
        return view.accept_suggestions()
    unique_slots = tuple(dict.fromkeys(body.slots))
    view.require(unique_slots)
    return SlotChange.from_request(body.what, unique_slots, body.name, body.type)


def _annotations(row: AnnotationRow, *, finished: bool) -> AnnotationsAnswer:
    return AnnotationsAnswer(
        version=row.version,
        what=row.what,
        names=dict(row.names),
        ignored=list(row.ignored),
        annotated_at=row.made_at,
        finished=finished,
    )


def _slot_answer(view: SlotView) -> SlotAnswer:
    slot = view.slot
    suggestion = None
    if slot.suggestion:
        suggestion = SuggestionAnswer(slot.suggestion, slot.confidence, slot.evidence)
    return SlotAnswer(
        slot=view.id,
        field=slot.field,
        type=slot.type,
        state=view.state,
        label=slot.label,
        support=slot.support,
        values=slot.max_values,
        examples=list(slot.examples),
        suggestion=suggestion,
    )


_PATH = "/api/collections/{name}/annotations"
_GROUP = "Annotation"

api_routes = [
    ApiRoute(
        "GET",
        _PATH,
        slots,
        "The slots of a cluster of pages, with suggestions",
        SlotsAnswer,
        _GROUP,
        query=ClusterQuery,
    ),
    ApiRoute(
        "POST",
        _PATH,
        change,
        "Name, split, ignore or notice slots, or accept all suggestions",
        AnnotationsAnswer,
        _GROUP,
        body=ChangeBody,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/preview",
        preview_change,
        "What a change would do to records",
        PreviewAnswer,
        _GROUP,
        body=ChangeBody,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/undo",
        undo,
        "Undo the last change",
        AnnotationsAnswer,
        _GROUP,
        body=VersionBody,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/redo",
        redo,
        "Redo the last change that was undone",
        AnnotationsAnswer,
        _GROUP,
        body=VersionBody,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/history",
        history,
        "Changes of annotations, the newest first",
        list[AnnotationChangeAnswer],
        _GROUP,
        query=HistoryQuery,
    ),
]
