"""Pages of collections: all of them, one at a glance, a run and its progress, the links
and what was decided about each.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scythe.collect.collection import Collection, default_name
from scythe.collect.crawl.fetcher import require_scrapy
from scythe.collect.run import Busy
from scythe.collect.search import RecordQuery
from scythe.collect.views import (
    LinkFilter,
    Overview,
    Pagination,
    RunRow,
    RunState,
)
from scythe.errors import AlreadyStored, NotStored, ScytheError, UsageError
from scythe.urls import completed_url, require_public
from scythe.web.collections.run_status import run_key, run_status
from scythe.web.records.cards import Card, record_fields, shown_cards
from scythe.web.server.context import (
    collection_of,
    collections_of,
    database_of,
    settings_of,
)
from scythe.web.server.forms import Form, form, whole_number
from scythe.web.server.jobs import Progress, jobs_of
from scythe.web.server.rendering import is_fragment, page, see_other, segment
from scythe.web.server.tasks import run_collection

RESERVED_NAMES = frozenset({"add"})
"""Names that are addresses of pages, and so of no collection."""
MAX_NAME = 80
"""Characters of a collection's name: it is part of addresses and headings. Not tuned."""
KINDS = ("recipe", "product", "article", "job", "event", "record")
"""What records can be: the built-in schemas, and one that has only what is named."""
MAX_INDEX_PAGES, MAX_RUNS, MAX_LINKS, MAX_NOTICES = 30, 20, 100, 5
"""Entries on one screen, by what fits; not tuned."""
MAX_SAMPLES = 8
"""Records that the page of a collection shows: two rows."""
SAMPLED = 40
"""Records that these are chosen from: a bound on work, not tuned."""
MAX_SEARCH = 200
"""Characters of a search for links: a bound on work."""
DECISIONS = {
    "record": "followed as records",
    "index": "watched as index pages",
    "sample": "fetched as samples",
    "skip": "skipped",
    "undecided": "not decided yet",
}
"""What was decided about links, in words."""


def overview_of(request: Request) -> Overview:
    """Return the collection in the path at a glance."""
    name = request.path_params["name"]
    overviews = collections_of(request).overviews(name)
    if not overviews:
        raise NotStored(f"There is no collection {name}. It may have been removed.")
    return overviews[0]


def add_collection(request: Request, url: str, name: str, **options: Any) -> str:
    """Add a collection and return its name."""
    url = completed_url(url)
    if name:
        name = usable_name(name)
    if not settings_of(request).allow_private:
        require_public(url)

    kind = options.pop("kind", "") or "record"
    given = {
        option: value
        for option, value in options.items()
        if value not in (None, "", False)
    }
    database = database_of(request)
    with Collection.add(url, name or None, kind, db=database, **given) as collection:
        return collection.row.name


def usable_name(name: str) -> str:
    """Return a name that a collection can have: it is a part of addresses."""
    is_path = "/" in name or not name.strip(". ")
    is_usable = not is_path and name.isprintable() and len(name) <= MAX_NAME
    if name in RESERVED_NAMES or not is_usable:
        raise UsageError(
            f"{name[:MAX_NAME]!r} cannot be the name of a collection. "
            "Give a short one without a slash."
        )
    return name


def start_run(request: Request, name: str, *, everything: bool) -> Progress:
    """Start a run as a job."""
    require_scrapy()
    arguments = (database_of(request), name, everything)
    return jobs_of(request).start(
        run_key(name), f"Run of {name}", run_collection, *arguments
    )


def remove_collection(request: Request, collection: Collection) -> None:
    """Remove a collection, unless it is being run."""
    name = collection.row.name
    if jobs_of(request).is_running(run_key(name)):
        raise Busy(f"{name} is being run. Stop the run first, or wait for it to end.")
    collection.remove()
    jobs_of(request).forget(run_key(name))


def list_collections(request: Request) -> Response:
    """Show all collections."""
    jobs = jobs_of(request)
    overviews = collections_of(request).overviews()
    rows = [(overview, run_status(jobs, overview)) for overview in overviews]
    return page(request, "collections/list.html", collections=rows)


def add_form(request: Request) -> Response:
    """Show the form for a new collection."""
    values = Form({"url": [request.query_params.get("url", "")]})
    return page(request, "collections/add.html", kinds=KINDS, values=values, error="")


def add(request: Request) -> Response:
    """Add a collection, and start its first run where that was asked for."""
    sent = form(request)
    try:
        name = add_collection(
            request,
            sent.get("url"),
            sent.get("name"),
            delay=seconds(sent.get("delay")),
            max_pages=sent.number("max_pages"),
            kind=sent.get("kind"),
        )
    except ScytheError as error:
        values = sent
        if isinstance(error, AlreadyStored) and not sent.get("name"):
            name = _free_name(request, default_name(completed_url(sent.get("url"))))
            values = Form({**sent.fields, "name": [name]})
        return page(
            request,
            "collections/add.html",
            400,
            kinds=KINDS,
            values=values,
            error=str(error),
        )

    if sent.get("run"):
        # Where too many jobs are waiting, the collection's page offers to run it.
        with suppress(Busy):
            start_run(request, name, everything=False)
    return see_other(f"/collections/{segment(name)}")


def _free_name(request: Request, name: str) -> str:
    """Return a name like one that is taken: another part of the same site is one click
    away.
    """
    taken = {row.name for row in collections_of(request).all()}
    numbered = (f"{name}-{number}" for number in count(2))
    return next(free for free in numbered if free not in taken)


def show(request: Request) -> Response:
    """Show one collection at a glance."""
    overview, collection = overview_of(request), collection_of(request)
    pagination = requested_pagination(request, MAX_RUNS)
    runs, total = collection.latest_runs(pagination)
    index_pages = collection.index_pages()
    return page(
        request,
        "collections/show.html",
        overview=overview,
        run_status=run_status(jobs_of(request), overview),
        index_pages=index_pages[:MAX_INDEX_PAGES],
        more_index_pages=max(len(index_pages) - MAX_INDEX_PAGES, 0),
        notice_groups=collection.notice_groups()[:MAX_NOTICES],
        has_drafts=collection.has_drafts(),
        drafts=_draft_fields(collection),
        failed=failed_run(overview),
        progress=collection.progress(),
        next_visit=collection.next_visit(),
        is_added="added" in request.query_params,
        samples=_sample_cards(request, collection),
        links=collection.count_links(),
        decisions=DECISIONS,
        runs=runs,
        pagination=pagination,
        last=pagination.last(total),
    )


def failed_run(overview: Overview) -> RunRow | None:
    """Return the last run, where it could not do its work; its summary has the reason."""
    last = overview.last_run
    is_failed = last is not None and last.state not in (
        RunState.DONE,
        RunState.RUNNING,
    )
    return last if is_failed else None


def _sample_cards(request: Request, collection: Collection) -> list[Card]:
    """Return some records as cards, so that there is something to look at: of the
    newest those with most fields.
    """
    ids = collection.search.all(RecordQuery())[:SAMPLED]
    records = list(collection.search.records(ids))
    records.sort(key=lambda record: -len(record_fields(record)))
    return shown_cards(request, records[:MAX_SAMPLES], collection.schema)


def _draft_fields(collection: Collection) -> list[str]:
    """Return the fields of drafts as people call them, those of the schema first."""
    names = set(collection.drafts().values())
    ordered: dict[str, None] = {}
    for rule in collection.schema.rules:
        if rule.name in names:
            ordered[rule.name] = None
    for name in sorted(names):
        ordered[name] = None
    return [name.replace("_", " ") for name in ordered]


def accept_suggestions(request: Request) -> Response:
    """Accept all suggestions that are sure, or none of them: drafts are good records
    then.
    """
    collection = collection_of(request)
    if form(request).get("what") == "dismiss":
        collection.dismiss_suggestions()
    else:
        collection.accept_suggestions()
    return see_other(f"/collections/{segment(collection.row.name)}")


def run(request: Request) -> Response:
    """Start a run."""
    name = overview_of(request).row.name
    start_run(request, name, everything=bool(form(request).get("everything")))
    return see_other(f"/collections/{segment(name)}")


def stop(request: Request) -> Response:
    """Stop a run of this server; the next one continues it."""
    name = overview_of(request).row.name
    jobs_of(request).stop(run_key(name))
    return see_other(f"/collections/{segment(name)}")


def progress(request: Request) -> Response:
    """Show the progress of a run: a piece of a page that asks for itself again. When the
    run has ended, the whole page is loaded again.
    """
    overview = overview_of(request)
    status = run_status(jobs_of(request), overview)
    if not is_fragment(request):
        return see_other(f"/collections/{segment(overview.row.name)}")
    headers = {} if status.is_running else {"HX-Refresh": "true"}
    return page(
        request,
        "collections/progress.html",
        headers=headers,
        overview=overview,
        run_status=status,
        progress=collection_of(request).progress(),
    )


def links(request: Request) -> Response:
    """Show the links of index pages: what was decided about each and why, and what its
    page turned out to be.
    """
    overview, collection = overview_of(request), collection_of(request)
    query = request.query_params
    words = query.get("q", "").strip()[:MAX_SEARCH]
    chosen = LinkFilter(query.get("decision", ""), words, query.get("outcome", ""))
    pagination = requested_pagination(request, MAX_LINKS)
    rows, total = collection.find_links(chosen, pagination)

    parameters = {"decision": chosen.decision, "q": words, "outcome": chosen.outcome}
    given = {name: value for name, value in parameters.items() if value}
    return page(
        request,
        "collections/links.html",
        overview=overview,
        links=rows,
        total=total,
        filter=chosen,
        counts=collection.count_links(),
        decisions=DECISIONS,
        pagination=pagination,
        last=pagination.last(total),
        address=f"?{urlencode(given)}&",
        rules=collection.link_rules(),
    )


def remove_form(request: Request) -> Response:
    """Ask before a collection is removed."""
    return page(request, "collections/remove.html", overview=overview_of(request))


def remove(request: Request) -> Response:
    """Remove a collection."""
    remove_collection(request, collection_of(request))
    return see_other("/collections")


def requested_pagination(request: Request, size: int) -> Pagination:
    """Return the requested part of a list that is shown in pages of a size."""
    number = whole_number(request.query_params.get("page")) or 1
    return Pagination(max(number, 1), size)


def seconds(text: str) -> float | None:
    """Return a number of seconds from a form; None where it has none."""
    try:
        return float(text) if text else None
    except ValueError:
        raise UsageError(f"{text[:50]!r} is not a number of seconds.") from None


routes = [
    Route("/collections", list_collections),
    Route("/collections/add", add_form),
    Route("/collections/add", add, methods=["POST"]),
    Route("/collections/{name}", show),
    Route("/collections/{name}/run", run, methods=["POST"]),
    Route("/collections/{name}/suggestions", accept_suggestions, methods=["POST"]),
    Route("/collections/{name}/stop", stop, methods=["POST"]),
    Route("/collections/{name}/progress", progress),
    Route("/collections/{name}/links", links),
    Route("/collections/{name}/remove", remove_form),
    Route("/collections/{name}/remove", remove, methods=["POST"]),
]
