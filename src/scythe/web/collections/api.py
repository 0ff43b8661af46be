"""Collections for programs: what their pages show and do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request

from scythe.collect.views import (
    IndexPageRow,
    LinkFilter,
    Overview,
    Pagination,
    RecordRow,
    fingerprint,
)
from scythe.web.api.jobs import job_answer
from scythe.web.api.route import ApiRoute, Body, body_of, query_of
from scythe.web.api.types import Count, JobAnswer, PageQuery, Removed, Url
from scythe.web.collections.run_status import run_key, run_status
from scythe.web.collections.views import (
    DECISIONS,
    add_collection,
    overview_of,
    remove_collection,
    start_run,
)
from scythe.web.server.context import collection_of, collections_of
from scythe.web.server.jobs import jobs_of

Counts = Annotated[dict[str, int], msgspec.Meta(description="How many of each.")]
Decision = Literal[("", *DECISIONS)]  # type: ignore[valid-type]


class RunAnswer(msgspec.Struct):
    """One run of a collection."""

    number: Count
    state: str
    stage: str
    started_at: datetime
    ended_at: datetime | None
    summary: dict[str, Any]


class CollectionAnswer(msgspec.Struct, kw_only=True):
    """A collection at a glance."""

    name: str
    url: Url
    kind: str
    state: str
    settings: dict[str, Any]
    added_at: datetime
    table: Annotated[
        str | None, msgspec.Meta(description="The view that other programs read.")
    ]
    records: Counts
    notices: Count
    watched: Count
    running: bool
    last_run: RunAnswer | None


class IndexPageAnswer(msgspec.Struct):
    """An index page that is visited again and again."""

    url: Url
    kind: str
    reason: str
    outcome: str
    note: str
    visits: Count
    changes: Count
    visited_at: datetime | None
    due_at: datetime | None


class NoticeAnswer(msgspec.Struct):
    """Something an operator should look at."""

    id: Count
    kind: str
    data: dict[str, Any]
    given_at: datetime


class CollectionDetails(CollectionAnswer, kw_only=True):
    """A collection with its index pages and notices."""

    links: Counts
    index_pages: list[IndexPageAnswer]
    open_notices: list[NoticeAnswer]


class RunsAnswer(msgspec.Struct):
    """A page of runs."""

    total: Count
    runs: list[RunAnswer]


class LinkAnswer(msgspec.Struct):
    """A link of an index page, with what was decided about it and why."""

    url: Url
    text: str
    decision: str | None
    reason: str
    score: float | None
    outcome: str | None
    first_seen: datetime
    last_seen: datetime
    gone_at: datetime | None


class LinksAnswer(msgspec.Struct):
    """A page of links."""

    total: Count
    links: list[LinkAnswer]


class ReviewRecord(msgspec.Struct):
    """A record that waits for a person."""

    id: Count
    key: str
    url: Url
    seen: Annotated[
        str, msgspec.Meta(description="What to send back when its values are accepted.")
    ]
    reasons: list[dict[str, Any]]
    fields: Mapping[str, Any] | None
    pending: Mapping[str, Any] | None


class ReviewAnswer(msgspec.Struct):
    """A page of records that wait for a person."""

    total: Count
    records: list[ReviewRecord]


class AcceptedRecord(msgspec.Struct):
    """A record whose values were accepted."""

    id: Count
    key: str
    url: Url
    state: str


class NewCollectionBody(Body, kw_only=True):
    """A collection to begin."""

    url: Url
    name: str = ""
    kind: Annotated[
        str, msgspec.Meta(description="recipe, product, article, job, or any word.")
    ] = ""
    delay: Annotated[
        float, msgspec.Meta(ge=0, description="Least seconds between two requests.")
    ] = 0.0
    max_pages: (
        Annotated[
            int, msgspec.Meta(ge=1, description="Pages that one run fetches at most.")
        ]
        | None
    ) = None
    user_agent: str = ""
    schema: Annotated[
        str, msgspec.Meta(description="A schema of your own, as TOML.")
    ] = ""
    run: Annotated[bool, msgspec.Meta(description="Whether to run it at once.")] = False


class RunBody(Body):
    """How to run a collection."""

    everything: Annotated[bool, msgspec.Meta(description="Re-fetch every page.")] = (
        False
    )


class AcceptBody(Body):
    """The record whose values are right."""

    key: str
    seen: str | None = None


class LinksQuery(PageQuery):
    """Which links to return."""

    decision: Annotated[
        Decision, msgspec.Meta(description="Only links with this decision.")
    ] = ""
    q: Annotated[str, msgspec.Meta(description="Words in the address or text.")] = ""
    outcome: Annotated[
        str, msgspec.Meta(description="Only those whose pages turned out to be this.")
    ] = ""


def pagination(request: Request) -> Pagination:
    """Return the requested part of a list."""
    query = query_of(request, PageQuery)
    return Pagination(query.page, query.size)


def _collections(request: Request) -> list[CollectionAnswer]:
    rows = collections_of(request).overviews()
    return [_collection_answer(request, overview) for overview in rows]


def _add(request: Request) -> CollectionAnswer:
    body = body_of(request, NewCollectionBody)
    options = msgspec.structs.asdict(body)
    for name in ("url", "name", "run"):
        del options[name]

    name = add_collection(request, body.url, body.name, **options)
    if body.run:
        start_run(request, name, everything=False)
    return _collection_answer(request, collections_of(request).overviews(name)[0])


def _collection(request: Request) -> CollectionDetails:
    collection, overview = collection_of(request), overview_of(request)
    answer = _collection_answer(request, overview)
    index_pages = [_index_page(row) for row in collection.index_pages()]
    notices = [
        msgspec.convert(row, NoticeAnswer, from_attributes=True)
        for row in collection.notices()
    ]
    return CollectionDetails(
        **msgspec.structs.asdict(answer),
        links=collection.count_links(),
        index_pages=index_pages,
        open_notices=notices,
    )


def _remove(request: Request) -> Removed:
    collection = collection_of(request)
    remove_collection(request, collection)
    return Removed(collection.row.name)


def _run(request: Request) -> Any:
    name = overview_of(request).row.name
    everything = body_of(request, RunBody).everything
    return start_run(request, name, everything=everything).as_json()


def _stop(request: Request) -> Any:
    key = run_key(overview_of(request).row.name)
    jobs_of(request).stop(key)
    return job_answer(request, key)


def _progress(request: Request) -> Any:
    return job_answer(request, run_key(overview_of(request).row.name))


def _runs(request: Request) -> RunsAnswer:
    rows, total = collection_of(request).latest_runs(pagination(request))
    runs = msgspec.convert(rows, list[RunAnswer], from_attributes=True)
    return RunsAnswer(total, runs)


def _links(request: Request) -> LinksAnswer:
    query = query_of(request, LinksQuery)
    link_filter = LinkFilter(query.decision, query.q, query.outcome)
    collection = collection_of(request)
    rows, total = collection.find_links(link_filter, pagination(request))
    links = msgspec.convert(rows, list[LinkAnswer], from_attributes=True)
    return LinksAnswer(total, links)


def _review(request: Request) -> ReviewAnswer:
    rows, total = collection_of(request).records_in_review(pagination(request))
    return ReviewAnswer(total, [_review_record(row) for row in rows])


def _accept(request: Request) -> AcceptedRecord:
    body = body_of(request, AcceptBody)
    record = collection_of(request).accept_record(body.key, seen=body.seen)
    return msgspec.convert(record, AcceptedRecord, from_attributes=True)


def _collection_answer(request: Request, overview: Overview) -> CollectionAnswer:
    row, last_run = overview.row, None
    if overview.last_run is not None:
        last_run = msgspec.convert(overview.last_run, RunAnswer, from_attributes=True)
    return CollectionAnswer(
        name=row.name,
        url=row.url,
        kind=row.kind,
        state=row.state,
        settings=dict(row.settings),
        added_at=row.added_at,
        table=row.table_name,
        records=dict(overview.records),
        notices=overview.notices,
        watched=overview.watched,
        running=run_status(jobs_of(request), overview).is_running,
        last_run=last_run,
    )


def _index_page(row: IndexPageRow) -> IndexPageAnswer:
    return IndexPageAnswer(
        row.url,
        row.kind,
        row.reason,
        row.outcome,
        row.note,
        row.visits,
        row.changes,
        row.visited_at,
        row.due_at,
    )


def _review_record(row: RecordRow) -> ReviewRecord:
    return ReviewRecord(
        id=row.id,
        key=row.key,
        url=row.url,
        seen=fingerprint(row.pending),
        reasons=[dict(reason) for reason in row.reasons],
        fields=row.fields,
        pending=row.pending,
    )


_PATH = "/api/collections/{name}"
_GROUP = "Collections"

api_routes = [
    ApiRoute(
        "GET",
        "/api/collections",
        _collections,
        "All collections at a glance",
        list[CollectionAnswer],
        _GROUP,
    ),
    ApiRoute(
        "POST",
        "/api/collections",
        _add,
        "Begin a collection",
        CollectionAnswer,
        _GROUP,
        body=NewCollectionBody,
        status=201,
    ),
    ApiRoute(
        "GET",
        _PATH,
        _collection,
        "One collection: its state, its index pages, its notices",
        CollectionDetails,
        _GROUP,
    ),
    ApiRoute(
        "DELETE",
        _PATH,
        _remove,
        "Remove a collection with all that belongs to it",
        Removed,
        _GROUP,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/run",
        _run,
        "Start a run; ask for its progress to follow it",
        JobAnswer,
        _GROUP,
        body=RunBody,
        status=202,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/progress",
        _progress,
        "The progress of the run, or the result of the last one of this server",
        JobAnswer,
        _GROUP,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/stop",
        _stop,
        "Stop a run; the next one continues it",
        JobAnswer,
        _GROUP,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/runs",
        _runs,
        "Runs, the last one first",
        RunsAnswer,
        _GROUP,
        query=PageQuery,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/links",
        _links,
        "Links of the index pages: what was decided about each and why",
        LinksAnswer,
        _GROUP,
        query=LinksQuery,
    ),
    ApiRoute(
        "GET",
        f"{_PATH}/review",
        _review,
        "Records that wait for a person, each with what is wrong with it",
        ReviewAnswer,
        _GROUP,
        query=PageQuery,
    ),
    ApiRoute(
        "POST",
        f"{_PATH}/review/accept",
        _accept,
        "Accept the values of a record in review; with `seen`, only if they are unchanged",
        AcceptedRecord,
        _GROUP,
        body=AcceptBody,
    ),
]
