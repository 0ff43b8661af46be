"""Pages on their way from wanted to done: no step is lost, none counts twice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import text

from scythe.errors import NotStored
from scythe.store import Store
from scythe.store.collections import CollectionRows
from scythe.store.pages import Fetched, PageRows, Wanted
from scythe.store.runs import NewNotice, RunRows
from scythe.store.templates import ExtractedRow, TemplateRows

URL = "https://oats.example/porridge"


class Rows:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.collections = CollectionRows(store)
        self.number = self.collections.add("oats", "https://oats.example/", "Recipe")
        self.runs = RunRows(store, self.number)
        self.pages = PageRows(store, self.number)
        self.templates = TemplateRows(store, self.number)

    def run(self) -> int:
        if found := self.runs.open():
            self.runs.end(found.id, {})
        return self.runs.begin().id

    def fetch(self, body: bytes | None, fate: str = "ok", **values: str) -> None:
        self.pages.want([Wanted(URL)], self.run())
        self.pages.arrive([Fetched(self.page, fate, body, **values)])  # type: ignore[arg-type]

    @property
    def page(self) -> int:
        found = self.pages.get(URL)
        assert found
        return found.id

    @property
    def stage(self) -> str:
        found = self.pages.get(URL)
        assert found
        return found.stage

    def bodies(self) -> int:
        with self.store.reading() as connection:
            number: int = connection.execute(text("SELECT count(*) FROM collection_bodies")).scalar_one()
            return number

    def read(self, reason: str | None = None) -> int:
        row = self.pages.get(URL)
        assert row
        assert row.body_hash
        extracted = ExtractedRow(
            row.id, 1, 0, row.body_hash, {"s1": ["Porridge"], "s2": ["oats", "milk"]}, {"title": ["P"]}, ["x"], 0.9
        )
        return self.templates.read((1, {"slots": []}, reason), [extracted])


@pytest.fixture
def rows(database: str) -> Iterator[Rows]:
    with Store.open(database) as store:
        yield Rows(store)


def test_a_page_is_wanted_once_a_run(rows: Rows) -> None:
    run = rows.run()
    assert rows.pages.want([Wanted(URL, "new link"), Wanted(URL)], run) == 1
    assert rows.pages.want([Wanted(URL)], run) == 0
    rows.pages.arrive([Fetched(rows.page, "unchanged")])
    assert rows.pages.want([Wanted(URL)], run) == 0, "it was fetched in this run already"
    assert rows.pages.want([Wanted(URL, "again")], rows.run()) == 1
    (page,) = rows.pages.at("wanted")
    assert (page.reason, page.visits) == ("again", 1)


def test_only_the_first_answer_counts_and_bytes_come_back(rows: Rows) -> None:
    run = rows.run()
    rows.pages.want([Wanted(URL)], run)
    body = bytes(range(256)) * 40
    answer = Fetched(rows.page, "ok", body, 200, f"{URL}/", "tag", "Monday", "utf-8", "text/html", rendered=True)
    rows.pages.arrive([answer, answer])
    rows.pages.arrive([Fetched(rows.page, "timeout")])
    (page,) = rows.pages.at("fetched")
    assert (page.fate, page.status, page.final_url, page.etag, page.last_modified) == ("ok", 200, f"{URL}/", "tag", "Monday")
    assert (page.charset, page.content_type, page.rendered, page.visits) == ("utf-8", "text/html", True, 1)
    assert page.body_hash
    assert rows.pages.body(page.body_hash) == body
    assert rows.pages.fates(run) == {"ok": 1}
    with pytest.raises(NotStored):
        rows.pages.body("nothing")


def test_unchanged_bytes_are_done_with_and_failures_are_counted(rows: Rows) -> None:
    rows.fetch(b"<p>Porridge")
    rows.pages.move_on([rows.page], "done")
    rows.fetch(b"<p>Porridge")
    assert rows.stage == "done"
    for _ in range(2):
        rows.fetch(None, "timeout", note="30 s")
    page = rows.pages.get(URL)
    assert page
    assert (page.stage, page.failures, page.visits, page.changes, page.note) == ("done", 2, 4, 0, "30 s")
    assert page.body_hash, "what was there before a failure stays"
    rows.fetch(b"<p>Porridge")
    assert rows.pages.all()[0].failures == 0


def test_a_page_that_changes_on_every_visit_does_not_fill_the_disk(rows: Rows) -> None:
    for number in range(5):
        rows.fetch(b"<p>Visitor %d" % number)
        rows.pages.move_on([rows.page], "done")
    assert (rows.bodies(), rows.pages.all()[0].changes) == (1, 4)


def test_bytes_are_kept_once(rows: Rows) -> None:
    run = rows.run()
    rows.pages.want([Wanted(URL), Wanted(f"{URL}?again")], run)
    rows.pages.arrive([Fetched(page.id, "ok", b"<p>Porridge") for page in rows.pages.at("wanted")])
    assert rows.bodies() == 1


def test_a_page_that_comes_back_is_read_again(rows: Rows) -> None:
    rows.fetch(b"<p>Porridge")
    rows.pages.classify({rows.page: (1, "record")}, "clusters", {})
    rows.pages.move_on([rows.page], "done")
    rows.fetch(None, "gone", note="404")
    assert rows.pages.all()[0].gone_at
    rows.fetch(None, "unchanged")
    assert (rows.stage, rows.pages.all()[0].gone_at) == ("classified", None)


def test_every_step_moves_on_what_waits_for_it(rows: Rows) -> None:
    rows.fetch(b"<p>Porridge")
    rows.pages.classify({rows.page: (1, "record")}, "clusters", {"pages": 1})
    assert rows.collections.remembered(rows.number, "clusters") == {"pages": 1}
    assert (rows.stage, list(rows.pages.of_clusters([1]))) == ("classified", [(rows.page, URL, 1)])
    assert rows.read() == 1
    rows.pages.classify({rows.page: (7, "index")}, "clusters", {"pages": 1})
    page = rows.pages.get(URL)
    assert page
    assert (page.stage, page.cluster, page.kind) == ("extracted", 1, "record"), "a step that is done is not done again"
    found = rows.templates.extracted(page.id)
    assert found
    assert (found.slots, found.declared, found.unplaced, found.fit) == (
        {"s1": ["Porridge"], "s2": ["oats", "milk"]},
        {"title": ["P"]},
        ["x"],
        0.9,
    )


def test_a_template_keeps_every_version_but_not_every_count(rows: Rows) -> None:
    rows.fetch(b"<p>Porridge")
    rows.pages.classify({rows.page: (1, "record")}, "clusters", {})
    assert [rows.read(reason) for reason in (None, None, "new attribute s2")] == [1, 1, 2]
    assert rows.templates.save(1, {"named": True}, "s1 is title") == 3
    assert [(row.version, row.reason) for row in rows.templates.versions(1)] == [
        (1, "first pages"),
        (2, "new attribute s2"),
        (3, "s1 is title"),
    ]
    latest = rows.templates.latest(1)
    assert latest
    assert latest.definition == {"named": True}
    assert rows.templates.latest(2) is None
    assert rows.templates.clusters() == [1]
    assert [row.version for row in rows.templates.extracted_of(1)] == [2]


def test_what_was_read_with_its_notices_is_one_step(rows: Rows) -> None:
    rows.fetch(b"<p>Porridge")
    rows.templates.read((1, {}, None), [], [NewNotice("s1", "new attribute")])
    rows.templates.read((1, {}, None), [], [NewNotice("s1", "new attribute")])
    assert [notice.kind for notice in rows.runs.notices()] == ["new attribute"]


def test_a_page_that_belongs_to_another_cluster_is_read_anew(rows: Rows) -> None:
    rows.fetch(b"<p>Porridge")
    rows.pages.classify({rows.page: (1, "record")}, "clusters", {})
    rows.read()
    rows.pages.place({rows.page: 2})
    assert rows.stage == "classified"
    assert list(rows.pages.of_clusters([2])) == [(rows.page, URL, 2)]
    assert list(rows.pages.of_clusters([1])) == []
