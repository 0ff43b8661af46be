"""Pages of collections: all of them, one at a glance, a run and how it goes, the links
that were decided about, what waits.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection
from scythe.collect.crawl.fetcher import require_scrapy
from scythe.collect.records.differences import field_changes
from scythe.collect.run import Busy
from scythe.collect.views import LinkFilter, Overview, Pagination, RunState, fingerprint
from scythe.errors import NotStored, ScytheError, UsageError
from scythe.store import Store
from scythe.store.collections.overviews import (
    count_links,
    load_links,
    load_overviews,
    load_records_in_review,
    load_runs,
)
from scythe.store.collections.records import RecordRows
from scythe.store.leases import has_ended
from scythe.urls import require_public
from scythe.web.server.context import collection_of, settings_of, store_of
from scythe.web.server.forms import Form, form, whole_number
from scythe.web.server.jobs import Jobs, Progress, jobs_of
from scythe.web.server.rendering import is_fragment, page, see_other, segment
from scythe.web.server.settings import Settings
from scythe.web.server.tasks import run_collection

_PLACES = frozenset({"add"})
"""Names that are addresses of pages, and so of no collection."""
LONGEST_NAME = 80
KINDS = ("recipe", "product", "article", "job", "record")
"""What records can be: the built-in schemas, and one that has only what is named."""
SHOWN_PAGES, SHOWN_RUNS, SHOWN_LINKS, SHOWN_RECORDS, SHOWN_NOTICES = 30, 20, 100, 25, 5
DECISIONS = {
    "record": "followed as records",
    "index": "watched as lists",
    "sample": "looked at as samples",
    "skip": "left alone",
    "undecided": "not decided yet",
}
"""What was decided about links, in words."""


@dataclass(frozen=True)
class Going:
    """A run that is under way, and what it is known by."""

    job: Progress | None
    """The job of this server that does it, or the last one that did."""
    elsewhere: str = ""
    """How far another process has come with it, where one is at work."""
    interrupted: bool = False
    """Whether it was begun, and nobody is at work on it."""

    @property
    def is_running(self) -> bool:
        """Whether it changes by itself."""
        return bool(self.elsewhere) or (self.job is not None and self.job.is_running)


def run_key(name: str) -> str:
    """The key of the job that runs a collection."""
    return f"run/{name}"


def going(jobs: Jobs, seen: Overview) -> Going:
    """How a run of a collection goes."""
    job, run, row = jobs.of(run_key(seen.row.name)), seen.last_run, seen.row
    if (
        (job is not None and job.is_running)
        or run is None
        or run.state != RunState.RUNNING
    ):
        return Going(job)
    held = row.holder is not None and not has_ended(row.holder)
    return (
        Going(job, elsewhere=run.stage or "it has begun")
        if held
        else Going(job, interrupted=True)
    )


def overview_of(request: Request) -> Overview:
    """The collection in the path at a glance."""
    name = request.path_params["name"]
    found = load_overviews(store_of(request), name)
    if not found:
        raise NotStored(f"There is no collection {name}. It may have been removed.")
    return found[0]


def add_collection(
    store: Store, settings: Settings, url: str, name: str, **given: Any
) -> str:
    """Begin a collection; gives its name."""
    if (
        name in _PLACES
        or "/" in name
        or not name.isprintable()
        or len(name) > LONGEST_NAME
    ):
        raise UsageError(
            f"{name[:LONGEST_NAME]!r} cannot be the name of a collection. Give a short one without a slash."
        )
    if not settings.allow_private:
        require_public(url)
    kind = given.pop("kind", "") or "record"
    wanted = {
        option: value
        for option, value in given.items()
        if value not in (None, "", False)
    }
    with Collection.add(url, name or None, kind, db=store.address, **wanted) as made:
        return made.row.name


def start_run(request: Request, name: str, *, everything: bool) -> Progress:
    """Begin a run as a job."""
    require_scrapy()
    return jobs_of(request).start(
        run_key(name),
        f"Run of {name}",
        run_collection,
        store_of(request).address,
        name,
        everything,
    )


def remove_collection(request: Request, collection: Collection) -> None:
    """Forget a collection, unless it is being run."""
    name = collection.row.name
    if jobs_of(request).is_running(run_key(name)):
        raise Busy(f"{name} is being run. Stop the run first, or wait for it to end.")
    collection.remove()
    jobs_of(request).forget(run_key(name))


def listed(request: Request) -> Response:
    """All collections."""
    found = load_overviews(store_of(request))
    jobs = jobs_of(request)
    return page(
        request,
        "collections/list.html",
        collections=[(seen, going(jobs, seen)) for seen in found],
    )


def adding(request: Request) -> Response:
    """The form for a new collection."""
    values = Form({"url": [request.query_params.get("url", "")]})
    return page(request, "collections/add.html", kinds=KINDS, values=values, error="")


def added(request: Request) -> Response:
    """Begin a collection; its first run follows at once where that is wanted."""
    sent = form(request)
    try:
        options = {
            "delay": _seconds(sent.get("delay")),
            "max_pages": sent.number("max_pages"),
            "kind": sent.get("kind"),
        }
        name = add_collection(
            store_of(request),
            settings_of(request),
            sent.get("url"),
            sent.get("name"),
            **options,
        )
    except ScytheError as error:
        return page(
            request,
            "collections/add.html",
            400,
            kinds=KINDS,
            values=sent,
            error=str(error),
        )
    if sent.get("run"):
        with suppress(
            Busy
        ):  # enough is being done: it is there, and its page offers to run it
            start_run(request, name, everything=False)
    return see_other(f"/collections/{segment(name)}")


def shown(request: Request) -> Response:
    """One collection at a glance."""
    seen, collection, store = (
        overview_of(request),
        collection_of(request),
        store_of(request),
    )
    number = max(whole_number(request.query_params.get("page")) or 1, 1)
    part = Pagination(number, SHOWN_RUNS)
    runs, total = load_runs(store, seen.row.id, part)
    watched = collection.index_pages()
    return page(
        request,
        "collections/show.html",
        seen=seen,
        going=going(jobs_of(request), seen),
        watched=watched[:SHOWN_PAGES],
        more_watched=max(len(watched) - SHOWN_PAGES, 0),
        notices=collection.notices()[:SHOWN_NOTICES],
        links=count_links(store, seen.row.id),
        decisions=DECISIONS,
        runs=runs,
        part=part,
        last=part.last(total),
    )


def run(request: Request) -> Response:
    """Begin a run."""
    name = overview_of(request).row.name
    start_run(request, name, everything=bool(form(request).get("everything")))
    return see_other(f"/collections/{segment(name)}")


def stop(request: Request) -> Response:
    """End a run that this server does; the next one goes on with it."""
    name = overview_of(request).row.name
    jobs_of(request).stop(run_key(name))
    return see_other(f"/collections/{segment(name)}")


def progress(request: Request) -> Response:
    """How a run goes: a piece of a page that asks for itself again; when the run has
    ended, the whole page is shown anew.
    """
    seen = overview_of(request)
    state = going(jobs_of(request), seen)
    if not is_fragment(request):
        return see_other(f"/collections/{segment(seen.row.name)}")
    headers = {} if state.is_running else {"HX-Refresh": "true"}
    return page(
        request, "collections/progress.html", headers=headers, seen=seen, going=state
    )


def links(request: Request) -> Response:
    """The links of index pages: what was decided about each and why, and what it turned
    out to be.
    """
    seen, store, asked = overview_of(request), store_of(request), request.query_params
    question = LinkFilter(
        asked.get("decision", ""),
        asked.get("q", "").strip()[:200],
        asked.get("outcome", ""),
    )
    part = Pagination(max(whole_number(asked.get("page")) or 1, 1), SHOWN_LINKS)
    found, total = load_links(store, seen.row.id, question, part)
    kept = {
        "decision": question.decision,
        "q": question.words,
        "outcome": question.outcome,
    }
    address = f"?{urlencode({name: value for name, value in kept.items() if value})}&"
    return page(
        request,
        "collections/links.html",
        seen=seen,
        links=found,
        total=total,
        question=question,
        counts=count_links(store, seen.row.id),
        decisions=DECISIONS,
        part=part,
        last=part.last(total),
        address=address,
    )


def review(request: Request) -> Response:
    """The records that wait for a person."""
    seen, store = overview_of(request), store_of(request)
    part = Pagination(
        max(whole_number(request.query_params.get("page")) or 1, 1), SHOWN_RECORDS
    )
    found, total = load_records_in_review(store, seen.row.id, part)
    waiting = [
        (
            record,
            fingerprint(record.pending),
            field_changes(record.fields, record.pending),
        )
        for record in found
    ]
    return page(
        request,
        "collections/review.html",
        seen=seen,
        waiting=waiting,
        total=total,
        part=part,
        last=part.last(total),
    )


def accepted(request: Request) -> Response:
    """Take the values of records in review as good: of one, or of all that a page
    shows.
    """
    seen, sent = overview_of(request), form(request)
    rows = RecordRows(store_of(request), seen.row.id)
    named = list(
        zip(sent.fields.get("key", ()), sent.fields.get("seen", ()), strict=False)
    )
    if not named:
        raise UsageError("No record was named. Go back to the list and choose one.")
    for key, mark in named:
        rows.accept(key, seen=mark)
    return see_other(f"/collections/{segment(seen.row.name)}/review")


def removing(request: Request) -> Response:
    """Ask before a collection is forgotten."""
    return page(request, "collections/remove.html", seen=overview_of(request))


def removed(request: Request) -> Response:
    """Forget a collection."""
    remove_collection(request, collection_of(request))
    return see_other("/collections")


def _seconds(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        raise UsageError(f"{text[:50]!r} is no number of seconds.") from None


routes = [
    Route("/collections", listed),
    Route("/collections/add", adding),
    Route("/collections/add", added, methods=["POST"]),
    Route("/collections/{name}", shown),
    Route("/collections/{name}/run", run, methods=["POST"]),
    Route("/collections/{name}/stop", stop, methods=["POST"]),
    Route("/collections/{name}/progress", progress),
    Route("/collections/{name}/links", links),
    Route("/collections/{name}/review", review),
    Route("/collections/{name}/review", accepted, methods=["POST"]),
    Route("/collections/{name}/remove", removing),
    Route("/collections/{name}/remove", removed, methods=["POST"]),
]
