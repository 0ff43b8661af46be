"""Annotation for programs."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from scythe.collect.collection import Collection
from scythe.collect.fields.annotations import (
    ACCEPT,
    IGNORE,
    NAME,
    NOTICE,
    SPLIT,
    Change,
    is_finished,
    preview,
    say,
)
from scythe.store.collections.annotations import AnnotationRow
from scythe.web.annotate.rows import Desk, Row, required_desk
from scythe.web.api.route import ApiRoute, asked, given
from scythe.web.api.schemas import (
    ADDRESS,
    ANYTHING,
    COUNT,
    MOMENT,
    NUMBER,
    TEXT,
    VALUES,
    YES_OR_NO,
    described,
    each,
    maybe,
    one_of,
    shape,
)
from scythe.web.server.context import collection_of
from scythe.web.server.following import records_follow

_KIND = "Annotation"
_WHATS = (NAME, SPLIT, IGNORE, NOTICE, ACCEPT)
_CLUSTER = described(COUNT, "Pages of one template; by default the largest cluster.")
_WORDS = shape(
    version=COUNT,
    what=TEXT,
    names=described(VALUES, "Field and type by slot."),
    ignored=each(TEXT),
    said_at=maybe(MOMENT),
    finished=described(YES_OR_NO, "Whether all records show it."),
)
_CHANGE = shape(
    ("name", "type", "slots", "version", "cluster"),
    what=described(
        one_of(*_WHATS),
        "`accept` takes all proposals that are sure; `split` takes a name away.",
    ),
    slots=each(TEXT),
    name=TEXT,
    type=TEXT,
    version=described(
        COUNT, "The version that was seen; another one is refused with 409."
    ),
    cluster=_CLUSTER,
)
_ATTRIBUTE = shape(
    slot=TEXT,
    field=maybe(TEXT),
    type=maybe(TEXT),
    state=one_of("named", "proposed", "plain", "ignored"),
    label=TEXT,
    support=COUNT,
    values=described(COUNT, "The most values that a page has."),
    examples=each(TEXT),
    proposal=maybe(shape(name=TEXT, confidence=NUMBER, evidence=TEXT)),
)
_ATTRIBUTES = shape(
    cluster=COUNT,
    clusters=each(shape(cluster=COUNT, pages=COUNT)),
    looked=described(COUNT, "Pages that were looked at."),
    total=COUNT,
    words=_WORDS,
    attributes=each(_ATTRIBUTE),
)
_PREVIEW = shape(
    what=TEXT,
    looked=COUNT,
    total=COUNT,
    changed=COUNT,
    fields=described(VALUES, "Records with each field that changes, before and after."),
    review=each(COUNT),
    differences=each(shape(url=ADDRESS, before=ANYTHING, after=ANYTHING)),
)


def show(request: Request) -> Any:
    """The attributes of a cluster."""
    found = required_desk(collection_of(request), asked(request)["cluster"])
    return {
        "cluster": found.cluster.cluster,
        "clusters": [
            {"cluster": row.cluster, "pages": row.pages} for row in found.clusters
        ],
        "looked": found.survey.looked,
        "total": found.survey.total,
        "words": _words(found.words, finished=is_finished(found.work)),
        "attributes": [_attribute(row) for row in found.rows],
    }


def change(request: Request) -> Any:
    """Say something."""
    collection = collection_of(request)
    found = required_desk(collection, given(request).get("cluster"))
    say(found.work, _change(request, found), given(request).get("version"), found.order)
    return _followed(request, collection, found)


def look_ahead(request: Request) -> Any:
    """What a change would do."""
    found = required_desk(collection_of(request), given(request).get("cluster"))
    seen = preview(found.work, _change(request, found), found.order)
    return {
        "what": seen.what,
        "looked": seen.looked,
        "total": seen.total,
        "changed": seen.changed,
        "fields": {name: list(counts) for name, counts in seen.fields.items()},
        "review": list(seen.doubts),
        "differences": [
            {"url": each.url, "before": each.before, "after": each.after}
            for each in seen.differences
        ],
    }


def undo(request: Request) -> Any:
    """Go back by one change."""
    return _turned(request, "undo")


def redo(request: Request) -> Any:
    """Go forward again by one change."""
    return _turned(request, "redo")


def _turned(request: Request, what: str) -> Any:
    collection = collection_of(request)
    found = required_desk(collection, None)
    rows = found.work.annotations
    (rows.undo if what == "undo" else rows.redo)(given(request).get("version"))
    return _followed(request, collection, found)


def history(request: Request) -> Any:
    """What was said, the newest first."""
    found = required_desk(collection_of(request), None)
    return [
        {
            "version": row.version,
            "what": row.what,
            "said_at": row.said_at and row.said_at.isoformat(),
        }
        for row in found.work.annotations.history(asked(request)["limit"])
    ]


def _followed(request: Request, collection: Collection, found: Desk) -> Any:
    records_follow(request, collection)
    return _words(found.work.annotations.latest(), finished=is_finished(found.work))


def _change(request: Request, found: Desk) -> Change:
    sent = given(request)
    if sent["what"] == ACCEPT:
        return found.proposals()
    slots = tuple(dict.fromkeys(sent.get("slots", ())))
    found.require(slots)
    return Change(sent["what"], slots, sent.get("name", ""), sent.get("type", ""))


def _words(words: AnnotationRow, *, finished: bool) -> dict[str, Any]:
    said = {
        "version": words.version,
        "what": words.what,
        "names": dict(words.names),
        "ignored": list(words.ignored),
    }
    return {
        **said,
        "said_at": words.said_at and words.said_at.isoformat(),
        "finished": finished,
    }


def _attribute(row: Row) -> dict[str, Any]:
    found = row.attribute
    proposal = (
        {
            "name": found.proposal,
            "confidence": found.confidence,
            "evidence": found.evidence,
        }
        if found.proposal
        else None
    )
    return {
        "slot": row.slot,
        "field": found.name,
        "type": found.type,
        "state": row.state,
        "label": found.label,
        "support": found.support,
        "values": found.most,
        "examples": found.examples,
        "proposal": proposal,
    }


_AT = "/api/collections/{name}/annotations"
_SEEN = shape(("version",), version=described(COUNT, "The version that was seen."))
api_routes = [
    ApiRoute(
        "GET",
        _AT,
        show,
        "The attributes of a cluster of pages",
        _ATTRIBUTES,
        _KIND,
        {"cluster": _CLUSTER},
    ),
    ApiRoute(
        "POST",
        _AT,
        change,
        "Name, split, ignore or notice attributes",
        _WORDS,
        _KIND,
        body=_CHANGE,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/preview",
        look_ahead,
        "What a change would do to records",
        _PREVIEW,
        _KIND,
        body=_CHANGE,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/undo",
        undo,
        "Take the last change back",
        _WORDS,
        _KIND,
        body=_SEEN,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/redo",
        redo,
        "Take the last undo back",
        _WORDS,
        _KIND,
        body=_SEEN,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/history",
        history,
        "What was said, the newest first",
        each(shape(version=COUNT, what=TEXT, said_at=maybe(MOMENT))),
        _KIND,
        {"limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50}},
    ),
]
