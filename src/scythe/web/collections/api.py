"""Collections for programs: what their pages show and do, as JSON."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from scythe.store.collections.index_pages import IndexPageRow
from scythe.store.collections.links import LinkRow
from scythe.store.collections.listing import (
    LinkFilter,
    Overview,
    Pagination,
    link_counts,
    links_of,
    overviews,
    runs_of,
    waiting_records,
)
from scythe.store.collections.records import RecordRow, RecordRows, fingerprint
from scythe.store.collections.runs import NoticeRow, RunRow
from scythe.web.api.jobs import JOB, job_values
from scythe.web.api.route import ApiRoute, asked, given
from scythe.web.api.schemas import (
    ADDRESS,
    COUNT,
    COUNTS,
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
from scythe.web.collections.views import (
    DECISIONS,
    add_collection,
    going,
    overview_of,
    remove_collection,
    run_key,
    start_run,
)
from scythe.web.server.context import collection_of, settings_of, store_of
from scythe.web.server.jobs import jobs_of

RUN = shape(
    number=COUNT,
    state=TEXT,
    stage=TEXT,
    started_at=MOMENT,
    ended_at=maybe(MOMENT),
    summary=VALUES,
)
COLLECTION = shape(
    name=TEXT,
    url=ADDRESS,
    kind=TEXT,
    state=TEXT,
    settings=VALUES,
    added_at=MOMENT,
    table=maybe(described(TEXT, "The view that other programs read.")),
    records=COUNTS,
    notices=COUNT,
    watched=COUNT,
    running=YES_OR_NO,
    last_run=maybe(RUN),
)
WATCHED = shape(
    url=ADDRESS,
    kind=TEXT,
    reason=TEXT,
    fate=TEXT,
    note=TEXT,
    visits=COUNT,
    changes=COUNT,
    visited_at=maybe(MOMENT),
    due_at=maybe(MOMENT),
)
NOTICE = shape(id=COUNT, kind=TEXT, data=VALUES, given_at=MOMENT)
LINK = shape(
    url=ADDRESS,
    text=TEXT,
    decision=maybe(TEXT),
    reason=TEXT,
    score=maybe(NUMBER),
    outcome=maybe(TEXT),
    first_seen=MOMENT,
    last_seen=MOMENT,
    gone_at=maybe(MOMENT),
)
WAITING = shape(
    id=COUNT,
    key=TEXT,
    url=ADDRESS,
    seen=TEXT,
    reasons=each(VALUES),
    fields=maybe(VALUES),
    pending=maybe(VALUES),
)
_PAGE = {
    "type": "integer",
    "minimum": 1,
    "maximum": 10_000_000,
    "default": 1,
    "description": "Which part of the list, from 1.",
}
_SIZE = {
    "type": "integer",
    "minimum": 1,
    "maximum": 1_000,
    "default": 100,
    "description": "How many in one part.",
}
PAGING = {"page": _PAGE, "size": _SIZE}
"""What the address of a long list may ask for."""


def part_of(request: Request) -> Pagination:
    """The part of a list that is asked for."""
    return Pagination(asked(request)["page"], asked(request)["size"])


def _collections(request: Request) -> Any:
    return [_overview(request, seen) for seen in overviews(store_of(request))]


def _add(request: Request) -> Any:
    sent = dict(given(request))
    begins = sent.pop("run", False)
    name = add_collection(
        store_of(request),
        settings_of(request),
        sent.pop("url"),
        sent.pop("name", ""),
        **sent,
    )
    if begins:
        start_run(request, name, everything=False)
    return _overview(request, overviews(store_of(request), name)[0])


def _collection(request: Request) -> Any:
    collection, seen = collection_of(request), overview_of(request)
    return {
        **_overview(request, seen),
        "links": link_counts(store_of(request), seen.row.id),
        "index_pages": [_watched(each) for each in collection.index_pages()],
        "open_notices": [_notice(each) for each in collection.notices()],
    }


def _remove(request: Request) -> Any:
    collection = collection_of(request)
    remove_collection(request, collection)
    return {"removed": collection.row.name}


def _run(request: Request) -> Any:
    name = overview_of(request).row.name
    return start_run(
        request, name, everything=bool(given(request).get("everything"))
    ).as_json()


def _stop(request: Request) -> Any:
    key = run_key(overview_of(request).row.name)
    jobs_of(request).stop(key)
    return job_values(request, key)


def _progress(request: Request) -> Any:
    return job_values(request, run_key(overview_of(request).row.name))


def _runs(request: Request) -> Any:
    found, total = runs_of(
        store_of(request), overview_of(request).row.id, part_of(request)
    )
    return {"total": total, "runs": [_run_values(each) for each in found]}


def _links(request: Request) -> Any:
    wanted = asked(request)
    question = LinkFilter(wanted["decision"] or "", wanted["q"], wanted["outcome"])
    found, total = links_of(
        store_of(request), overview_of(request).row.id, question, part_of(request)
    )
    return {"total": total, "links": [_link(each) for each in found]}


def _review(request: Request) -> Any:
    found, total = waiting_records(
        store_of(request), overview_of(request).row.id, part_of(request)
    )
    return {"total": total, "records": [_waiting(each) for each in found]}


def _accept(request: Request) -> Any:
    sent = given(request)
    record = RecordRows(store_of(request), overview_of(request).row.id).accept(
        sent["key"], seen=sent.get("seen")
    )
    return {
        "id": record.id,
        "key": record.key,
        "url": record.url,
        "state": record.state,
    }


def _overview(request: Request, seen: Overview) -> dict[str, Any]:
    row = seen.row
    return {
        "name": row.name,
        "url": row.url,
        "kind": row.kind,
        "state": row.state,
        "settings": dict(row.settings),
        "added_at": row.added_at.isoformat(),
        "table": row.table_name,
        "records": dict(seen.records),
        "notices": seen.notices,
        "watched": seen.watched,
        "running": going(jobs_of(request), seen).is_running,
        "last_run": None if seen.last_run is None else _run_values(seen.last_run),
    }


def _run_values(run: RunRow) -> dict[str, Any]:
    ended = None if run.ended_at is None else run.ended_at.isoformat()
    told = {
        "number": run.number,
        "state": run.state,
        "stage": run.stage,
        "summary": dict(run.summary),
    }
    return {**told, "started_at": run.started_at.isoformat(), "ended_at": ended}


def _watched(row: IndexPageRow) -> dict[str, Any]:
    names = ("url", "kind", "reason", "fate", "note", "visits", "changes")
    moments = {name: _moment(getattr(row, name)) for name in ("visited_at", "due_at")}
    return {**{name: getattr(row, name) for name in names}, **moments}


def _notice(row: NoticeRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": row.kind,
        "data": dict(row.data),
        "given_at": row.given_at.isoformat(),
    }


def _link(row: LinkRow) -> dict[str, Any]:
    names = ("url", "text", "decision", "reason", "score", "outcome")
    moments = {
        name: _moment(getattr(row, name))
        for name in ("first_seen", "last_seen", "gone_at")
    }
    return {**{name: getattr(row, name) for name in names}, **moments}


def _waiting(row: RecordRow) -> dict[str, Any]:
    names = ("id", "key", "url", "fields", "pending")
    return {
        **{name: getattr(row, name) for name in names},
        "reasons": list(row.reasons),
        "seen": fingerprint(row.pending),
    }


def _moment(at: Any) -> str | None:
    return None if at is None else at.isoformat()


_AT = "/api/collections/{name}"
_NEW = shape(
    ("name", "kind", "delay", "max_pages", "run", "schema", "user_agent"),
    url=ADDRESS,
    name=TEXT,
    kind=described(TEXT, "recipe, product, article, job, or any word."),
    delay=described(NUMBER, "Least seconds between two requests.", minimum=0),
    max_pages=described(COUNT, "Pages that one run asks for at most.", minimum=1),
    user_agent=TEXT,
    schema=described(TEXT, "A schema of your own, as TOML."),
    run=described(YES_OR_NO, "Whether to run it at once."),
)
_DECISION = described(
    one_of("", *DECISIONS), "Only links with this decision.", default=""
)
_KIND = "Collections"

api_routes = [
    ApiRoute(
        "GET",
        "/api/collections",
        _collections,
        "All collections at a glance",
        each(COLLECTION),
        _KIND,
    ),
    ApiRoute(
        "POST",
        "/api/collections",
        _add,
        "Begin a collection",
        COLLECTION,
        _KIND,
        body=_NEW,
        status=201,
    ),
    ApiRoute(
        "GET",
        _AT,
        _collection,
        "One collection: its state, the pages it watches, what waits for you",
        {
            **COLLECTION,
            "properties": {
                **COLLECTION["properties"],
                "links": COUNTS,
                "index_pages": each(WATCHED),
                "open_notices": each(NOTICE),
            },
            "required": [
                *COLLECTION["required"],
                "links",
                "index_pages",
                "open_notices",
            ],
        },
        _KIND,
    ),
    ApiRoute(
        "DELETE",
        _AT,
        _remove,
        "Forget a collection with all that belongs to it",
        shape(removed=TEXT),
        _KIND,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/run",
        _run,
        "Bring a collection up to date; ask for its progress to see how it goes",
        JOB,
        _KIND,
        body=shape(
            ("everything",),
            everything=described(YES_OR_NO, "Ask for all known pages again."),
        ),
        status=202,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/progress",
        _progress,
        "How the run goes, or how the last one of this server ended",
        JOB,
        _KIND,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/stop",
        _stop,
        "End a run; the next one goes on with it",
        JOB,
        _KIND,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/runs",
        _runs,
        "Runs, the last one first",
        shape(total=COUNT, runs=each(RUN)),
        _KIND,
        query=PAGING,
    ),
    ApiRoute(
        "GET",
        f"{_AT}/links",
        _links,
        "Links of the pages that are watched: what was decided about each and why",
        shape(total=COUNT, links=each(LINK)),
        _KIND,
        query={
            "decision": _DECISION,
            "q": described(TEXT, "Words in the address or text.", default=""),
            "outcome": described(
                TEXT, "Only those whose pages turned out to be this.", default=""
            ),
            **PAGING,
        },
    ),
    ApiRoute(
        "GET",
        f"{_AT}/review",
        _review,
        "Records that wait for a person, each with what is wrong with it",
        shape(total=COUNT, records=each(WAITING)),
        _KIND,
        query=PAGING,
    ),
    ApiRoute(
        "POST",
        f"{_AT}/review/accept",
        _accept,
        "Take the values of a record in review as good; with `seen`, only if they are still those that were looked at",
        shape(id=COUNT, key=TEXT, url=ADDRESS, state=TEXT),
        _KIND,
        body=shape(("seen",), key=TEXT, seen=TEXT),
    ),
]
