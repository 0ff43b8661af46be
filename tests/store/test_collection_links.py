"""Index pages and links: what is new, changed, gone and back, and what was decided,
however often a step is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from scythe.errors import NotStored
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import (
    IndexPageRows,
    IndexPageVisit,
    NewIndexPage,
    SeenLink,
)
from scythe.store.collections.links import LinkRows, NewDecision
from scythe.store.collections.runs import RunRows
from scythe.store.states import FetchOutcome

SOON = datetime(2000, 1, 1, tzinfo=UTC)
LATE = datetime(2999, 1, 1, tzinfo=UTC)
HOME = "https://oats.example/"


class Rows:
    def __init__(self, store: Store) -> None:
        number = CollectionRows(store).add("oats", HOME, "Recipe")
        self.runs = RunRows(store, number)
        self.pages = IndexPageRows(store, number)
        self.links = LinkRows(store, number)

    def run(self) -> int:
        if found := self.runs.unfinished():
            self.runs.end(found.id, {})
        return self.runs.begin().id


@pytest.fixture
def rows(database: str) -> Iterator[Rows]:
    with Store.open(database) as store:
        yield Rows(store)


def listing(
    *names: str,
    outcome: FetchOutcome = FetchOutcome.CHANGED,
    due: datetime = SOON,
    **values: str,
) -> IndexPageVisit:
    links = [
        SeenLink(f"{HOME}{name}", name.title(), "html/body/ul/li/a") for name in names
    ]
    return IndexPageVisit(
        outcome,
        3600.0,
        due,
        links=links,
        records={link.url: {"title": link.text} for link in links},
        **values,
    )


def names(found: object) -> list[str]:
    return [link.text for link in found]  # type: ignore[attr-defined]


def test_an_index_page_is_stored_once_and_visited_once_a_run(rows: Rows) -> None:
    assert (
        rows.pages.add(
            [NewIndexPage(HOME, "html", "given"), NewIndexPage(HOME, "feed")]
        )
        == 1
    )
    run = rows.run()
    (page,) = rows.pages.due(run)
    assert (page.kind, page.reason, page.visits, page.due_at) == (
        "html",
        "given",
        0,
        None,
    )
    rows.pages.store_visit(
        page.id, run, listing("porridge", etag="x", content_hash="h")
    )
    rows.pages.store_visit(
        page.id, run, listing("porridge", etag="x", content_hash="h")
    )
    assert rows.pages.due(run) == []
    (page,) = rows.pages.due(rows.run())
    assert (page.visits, page.changes, page.etag, page.content_hash, page.outcome) == (
        1,
        1,
        "x",
        "h",
        "changed",
    )


def test_a_page_waits_until_its_time_has_come(rows: Rows) -> None:
    rows.pages.add([NewIndexPage(HOME, "html")])
    run = rows.run()
    rows.pages.store_visit(rows.pages.all()[0].id, run, listing(due=LATE))
    later = rows.run()
    assert rows.pages.due(later) == []
    assert [
        page.url for page in rows.pages.due(later, LATE + timedelta(seconds=1))
    ] == [HOME]


def test_links_are_new_changed_gone_and_back(rows: Rows) -> None:
    rows.pages.add([NewIndexPage(HOME, "html")])
    page = rows.pages.all()[0].id
    first = rows.run()
    rows.pages.store_visit(page, first, listing("porridge", "flapjack", "porridge"))
    assert names(rows.links.seen_in(first)) == ["Porridge", "Flapjack"]
    second = rows.run()
    rows.pages.store_visit(page, second, listing("scone", "porridge"))
    assert (names(rows.links.seen_in(second)), names(rows.links.gone_in(second))) == (
        ["Scone"],
        ["Flapjack"],
    )
    assert set(rows.links.current_urls()) == {f"{HOME}scone", f"{HOME}porridge"}
    third = rows.run()
    rows.pages.store_visit(page, third, listing("flapjack", "scone", "porridge"))
    assert names(rows.links.seen_in(third)) == ["Flapjack"]
    assert rows.links.gone_in(second) == []
    back = next(link for link in rows.links.all() if link.text == "Flapjack")
    assert (back.first_in, back.gone_at, back.changed_in) == (first, None, third)


def test_links_stay_where_a_page_is_unchanged_or_cannot_be_read(rows: Rows) -> None:
    rows.pages.add([NewIndexPage(HOME, "html")])
    page = rows.pages.all()[0].id
    rows.pages.store_visit(page, rows.run(), listing("porridge", etag="x"))
    for outcome in (FetchOutcome.UNCHANGED, FetchOutcome.SERVER_ERROR):
        rows.pages.store_visit(
            page, rows.run(), IndexPageVisit(outcome, 60.0, SOON, note="500")
        )
        assert (names(rows.links.all()), set(rows.links.current_urls())) == (
            ["Porridge"],
            {f"{HOME}porridge"},
        )
    row = rows.pages.all()[0]
    assert (row.etag, row.visits, row.changes, row.outcome, row.note) == (
        "x",
        3,
        1,
        "server error",
        "500",
    )
    rows.pages.store_visit(
        page, rows.run(), IndexPageVisit(FetchOutcome.GONE, 60.0, SOON)
    )
    assert set(rows.links.current_urls()) == set()
    assert rows.pages.due(rows.run()) == []


def test_decisions_keep_their_reasons_and_outcomes_are_for_every_link(
    rows: Rows,
) -> None:
    rows.pages.add([NewIndexPage(HOME, "html"), NewIndexPage(f"{HOME}feed", "feed")])
    run = rows.run()
    for page in rows.pages.all():
        rows.pages.store_visit(page.id, run, listing("porridge", "about"))
    waiting = rows.links.undecided()
    assert names(waiting) == ["Porridge", "About", "Porridge", "About"]
    rows.links.decide(
        [
            NewDecision(link.id, "record", "same pattern as 3 records", 0.9)
            for link in waiting[:1]
        ],
        run,
    )
    rows.links.decide(
        [NewDecision(waiting[1].id, "skip", "no record stands there")], run
    )
    assert len(rows.links.undecided()) == 2
    (link,) = rows.links.with_decision("record")
    assert (link.reason, link.score, link.decided_in) == (
        "same pattern as 3 records",
        0.9,
        run,
    )
    rows.links.store_outcomes({f"{HOME}porridge": "record"})
    assert [link.outcome for link in rows.links.all()] == [
        "record",
        None,
        "record",
        None,
    ]
    assert rows.links.counts() == {"record": 1, "skip": 1, None: 2}


def test_what_index_pages_say_is_found_by_address(rows: Rows) -> None:
    rows.pages.add([NewIndexPage(HOME, "html"), NewIndexPage(f"{HOME}feed", "feed")])
    run = rows.run()
    for page in rows.pages.all():
        rows.pages.store_visit(page.id, run, listing("porridge"))
    url = f"{HOME}porridge"
    assert rows.pages.records_of([url, f"{HOME}nothing"]) == {
        url: [{"title": "Porridge"}, {"title": "Porridge"}]
    }
    rows.pages.store_visit(rows.pages.all()[0].id, rows.run(), listing("scone"))
    assert len(rows.pages.records_of([url])[url]) == 2, "what a page said last stays"


def test_an_index_page_that_proved_to_be_none_goes_with_its_links(rows: Rows) -> None:
    rows.pages.add([NewIndexPage(HOME, "html")])
    page = rows.pages.all()[0].id
    run = rows.run()
    rows.pages.store_visit(page, run, listing("porridge"))
    rows.pages.remove(page)
    assert (rows.pages.all(), list(rows.links.all())) == ([], [])
    with pytest.raises(NotStored):
        rows.pages.store_visit(page, run, listing("porridge"))
