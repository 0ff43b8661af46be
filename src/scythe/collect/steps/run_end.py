"""How a run ended, in plain words: whether any of its start pages could be read, and if
not, why; and which bounds on work it has reached.
"""

from __future__ import annotations

from collections.abc import Iterator

from scythe.collect.context import MAX_INDEX_PAGES, RunContext
from scythe.collect.steps.monitor import CUT_NOTE
from scythe.store.collections.index_pages import IndexPageRow
from scythe.store.states import (
    FetchOutcome,
    IndexPageKind,
    PageStage,
    RecordState,
    RunState,
)
from scythe.urls import url_key

_READ = (FetchOutcome.CHANGED, FetchOutcome.UNCHANGED)

_STATES = {
    FetchOutcome.GONE: RunState.NOT_FOUND,
    FetchOutcome.ROBOTS: RunState.ROBOTS,
    FetchOutcome.REFUSED: RunState.REFUSED,
    FetchOutcome.PRIVATE: RunState.REFUSED,
    FetchOutcome.SERVER_ERROR: RunState.UNAVAILABLE,
    FetchOutcome.TIMEOUT: RunState.TIMEOUT,
    FetchOutcome.UNREACHABLE: RunState.UNREACHABLE,
    FetchOutcome.CUT_OFF: RunState.UNREACHABLE,
}
"""What the outcome of a start page makes of a run; every other one is a failure."""

_ADVICE = {
    RunState.NOT_FOUND: "Check the address, and give another start page.",
    RunState.ROBOTS: "Ask the site for permission, or collect another page of it.",
    RunState.REFUSED: "Pages behind a login or a bot check cannot be collected.",
    RunState.UNAVAILABLE: "Run it again later; what was collected before is kept.",
    RunState.TIMEOUT: "Run it again later, or give it more time (timeout).",
    RunState.UNREACHABLE: "Check the address and the network, and run it again.",
    RunState.FAILED: "Give the address of a page that lists records.",
}


def run_end(context: RunContext) -> tuple[RunState, str]:
    """Return the state in which a run ends, and the reason in words, empty where all is
    well.
    """
    visited = _visited_start_pages(context)
    if not visited:
        return RunState.DONE, ""
    if not any(page.outcome in _READ for page in visited):
        return _failure(visited[0])
    present = context.records.counts()
    present.pop(RecordState.GONE, None)
    if present:
        return RunState.DONE, ""
    links = sum(context.links.counts().values())
    return RunState.EMPTY, (
        f"No record was found: {visited[0].url} was read, and none of its {links} "
        "links leads to pages that look like records. Give a page that lists them, "
        "or say of one link that it is a record."
    )


def reached_limits(context: RunContext) -> Iterator[str]:
    """Yield the bounds that the pages of a run have reached, one line each."""
    left = context.pages.count(PageStage.QUEUED)
    if left:
        yield (
            f"{left} pages are left for the next run: "
            f"one run asks for {context.max_pages} at most (max_pages)"
        )

    index_pages = context.index_pages.all()
    if len(index_pages) >= MAX_INDEX_PAGES:
        yield (
            f"{len(index_pages)} index pages are watched, the most of one collection: "
            "others that were found are not visited"
        )
    for page in index_pages:
        if page.visited_in == context.run and page.note == CUT_NOTE:
            yield f"{page.url}: {CUT_NOTE}"


def _visited_start_pages(context: RunContext) -> list[IndexPageRow]:
    start_keys = context.start_keys()
    return [
        page
        for page in context.index_pages.all()
        if page.visited_in == context.run
        and page.kind != IndexPageKind.RECORDS
        and url_key(page.url) in start_keys
    ]


def _failure(page: IndexPageRow) -> tuple[RunState, str]:
    state = _STATES.get(page.outcome, RunState.FAILED)
    advice = _ADVICE[state]
    note = page.note.strip()
    note = note.rstrip(".")
    if not note:
        note = str(page.outcome)
    return state, f"{page.url} could not be read: {note}. {advice}"
