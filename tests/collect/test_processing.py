"""Fetched pages on their way through the classifier and the extractor: each parsed
once, each batch one step.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from read_pages import HOME, recipe_page
from scythe.collect.context import Work
from scythe.collect.pages import reading
from scythe.collect.pages.pipeline import process, process_rest
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import NewIndexPage, SeenLink, Visit
from scythe.store.collections.links import NewDecision
from scythe.store.collections.pages import FetchResult, PageRequest
from scythe.store.collections.runs import NoticeRow
from scythe.store.collections.states import FetchOutcome
from scythe.store.columns import now
from scythe.tree import Tree, parse


@pytest.fixture
def work(database: str) -> Iterator[Work]:
    with Store.open(database) as store:
        rows = CollectionRows(store)
        rows.add("oats", HOME, "recipe")
        work = Work(store, rows.get("oats"))
        work.index_pages.add([NewIndexPage(HOME, "html")])
        yield work


def fetch(work: Work, pages: dict[str, str], decision: str = "record") -> None:
    """Begin a run that has found links to pages, decided about them and fetched them."""
    if open_run := work.runs.unfinished():
        work.runs.end(open_run.id, {})
    work.run = work.runs.begin().id
    links = [SeenLink(url, url, "html/body/a") for url in pages]
    work.index_pages.store_visit(
        work.index_pages.all()[0].id,
        work.run,
        Visit(FetchOutcome.CHANGED, 1.0, now(), links=links),
    )
    found = [link for link in work.links.all() if link.url in pages]
    work.links.decide(
        [NewDecision(link.id, decision, "told so") for link in found], work.run
    )
    work.pages.enqueue([PageRequest(url) for url in pages], work.run)
    numbers = {page.url: page.id for page in work.pages.all()}
    work.pages.store_results(
        [
            FetchResult(numbers[url], FetchOutcome.OK, html.encode(), 200, url)
            for url, html in pages.items()
        ]
    )


def recipes(first: int, last: int, extra: str = "") -> dict[str, str]:
    return {
        f"{HOME}{number}": recipe_page(number, extra)
        for number in range(first, last + 1)
    }


def stages(work: Work) -> set[str]:
    return {page.stage for page in work.pages.all()}


def news(work: Work) -> list[NoticeRow]:
    return [notice for notice in work.runs.notices() if notice.kind == "new attribute"]


def test_records_are_read_as_they_are_classified_and_parsed_once(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[bytes] = []

    def counted(body: bytes, charset: str | None) -> Tree:
        parsed.append(body)
        return parse(body, charset=charset)

    monkeypatch.setattr(reading, "parse", counted)
    fetch(work, recipes(1, 40))
    assert process(work) == 40
    assert len(parsed) == 40
    assert stages(work) == {"extracted"}
    assert {link.outcome for link in work.links.all()} == {"record"}
    (cluster,) = work.templates.clusters()
    rows = list(work.templates.extracted_in_cluster(cluster))
    assert [row.slots["section:ingredients"][0] for row in rows[:2]] == [
        "1 g oats",
        "2 g oats",
    ]
    assert {row.version for row in rows} == {1}
    assert process(work) == process_rest(work) == 0


def test_pages_that_nobody_took_for_records_wait_until_it_is_clear(work: Work) -> None:
    fetch(work, recipes(1, 3), "sample")
    process(work)
    assert stages(work) == {"classified"}
    work.links.decide(
        [
            NewDecision(link.id, "record", "they are")
            for link in list(work.links.all())[:2]
        ],
        work.run,
    )
    assert process_rest(work) == 2
    assert [page.stage for page in work.pages.all()] == [
        "extracted",
        "extracted",
        "done",
    ]


def test_a_template_that_has_not_grown_is_not_stored_again(work: Work) -> None:
    fetch(work, recipes(1, 70))
    process(work)
    (cluster,) = work.templates.clusters()
    (before,) = work.templates.versions(cluster)
    fetch(work, recipes(71, 80))
    process(work)
    (after,) = work.templates.versions(cluster)
    assert after.definition == before.definition
    assert len(list(work.templates.extracted_in_cluster(cluster))) == 80


def test_a_new_section_is_news_once_two_pages_have_it(work: Work) -> None:
    fetch(work, recipes(1, 8))
    process(work)
    assert not news(work)
    tips = "<h2>Tips</h2><p>Serve it warm.</p>"
    fetch(work, recipes(9, 9, tips))
    process(work)
    assert not news(work)
    fetch(work, recipes(10, 11, tips))
    process(work)
    assert [notice.data["slot"] for notice in news(work)] == ["section:tips"]
