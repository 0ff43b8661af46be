"""Fetched pages on their way through the classifier and the extractor: each parsed
once, each batch one step.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from read_pages import HOME, recipe_page
from scythe.collect.context import RunContext
from scythe.collect.pages import page_reading
from scythe.collect.pages.sections import VisibleLines, section_lines
from scythe.collect.steps import pipeline
from scythe.collect.steps.importer import import_records
from scythe.collect.steps.link_decisions import decide_links
from scythe.collect.steps.link_ruling import preview_rule
from scythe.collect.steps.pipeline import (
    process_classified,
    process_fetched,
    queue_unread_records,
)
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import IndexPageVisit, NewIndexPage, SeenLink
from scythe.store.collections.links import NewDecision
from scythe.store.collections.pages import GIVEN, FetchResult, PageRequest
from scythe.store.collections.records import NewRecord, RecordSource
from scythe.store.collections.runs import NoticeRow
from scythe.store.columns import now
from scythe.store.states import FetchOutcome, RuleAction, RuleScope
from scythe.tree import Tree, parse
from scythe.urls import url_key
from scythe.version import installed_version


@pytest.fixture
def context(database: str) -> Iterator[RunContext]:
    with Store.open(database) as store:
        rows = CollectionRows(store)
        rows.add("oats", HOME, "recipe")
        context = RunContext(store, rows.get("oats"))
        context.index_pages.add([NewIndexPage(HOME, "html")])
        yield context


def fetch(context: RunContext, pages: dict[str, str], decision: str = "record") -> None:
    """Begin a run that has found links to pages, decided about them and fetched them."""
    if open_run := context.runs.unfinished():
        context.runs.end(open_run.id, {})
    context.run = context.runs.begin().id
    links = [SeenLink(url, url, "html/body/a") for url in pages]
    context.index_pages.store_visit(
        context.index_pages.all()[0].id,
        context.run,
        IndexPageVisit(FetchOutcome.CHANGED, 1.0, now(), links=links),
    )
    found = [link for link in context.links.all() if link.url in pages]
    context.links.decide(
        [NewDecision(link.id, decision, "told so") for link in found], context.run
    )
    context.pages.enqueue([PageRequest(url) for url in pages], context.run)
    numbers = {page.url: page.id for page in context.pages.all()}
    context.pages.store_results(
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


def stages(context: RunContext) -> set[str]:
    return {page.stage for page in context.pages.all()}


def news(context: RunContext) -> list[NoticeRow]:
    return [
        notice for notice in context.runs.notices() if notice.kind == "new attribute"
    ]


def test_records_are_read_as_they_are_classified_and_parsed_once(
    context: RunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[bytes] = []

    def counted(body: bytes, charset: str | None) -> Tree:
        parsed.append(body)
        return parse(body, charset=charset)

    monkeypatch.setattr(page_reading, "parse", counted)
    fetch(context, recipes(1, 40))
    assert process_fetched(context) == 40
    assert len(parsed) == 40
    assert stages(context) == {"extracted"}
    assert {link.outcome for link in context.links.all()} == {"record"}
    (cluster,) = context.templates.clusters()
    rows = list(context.templates.extracted_in_cluster(cluster))
    assert [row.slots["section:ingredients"][0] for row in rows[:2]] == [
        "1 g oats",
        "2 g oats",
    ]
    assert {row.version for row in rows} == {1}
    assert process_fetched(context) == process_classified(context) == 0


def test_what_needs_no_template_is_asked_of_a_page_once_by_one_version(
    context: RunContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(context, recipes(1, 12))
    process_fetched(context)
    (cluster,) = context.templates.clusters()
    before = list(context.templates.extracted_in_cluster(cluster))
    asked: list[Tree] = []

    def counted(tree: Tree, lines: VisibleLines) -> dict[str, list[str]]:
        asked.append(tree)
        return section_lines(tree, lines)

    monkeypatch.setattr(page_reading, "section_lines", counted)
    for version, expected in ((installed_version(), 0), ("newer", 12)):
        monkeypatch.setattr(pipeline, "installed_version", lambda found=version: found)
        later = RunContext(context.store, context.row, context.run)
        later.pages.reassign(dict.fromkeys((row.page_id for row in before), cluster))
        assert process_classified(later) == 12
        assert len(asked) == expected
        after = list(later.templates.extracted_in_cluster(cluster))
        assert [row.slots for row in after] == [row.slots for row in before]


def test_pages_that_nobody_took_for_records_wait_until_it_is_clear(
    context: RunContext,
) -> None:
    fetch(context, recipes(1, 3), "sample")
    process_fetched(context)
    assert stages(context) == {"classified"}
    context.links.decide(
        [
            NewDecision(link.id, "record", "they are")
            for link in list(context.links.all())[:2]
        ],
        context.run,
    )
    assert process_classified(context) == 2
    assert [page.stage for page in context.pages.all()] == [
        "extracted",
        "extracted",
        "done",
    ]


def test_a_template_that_has_not_grown_is_not_stored_again(context: RunContext) -> None:
    fetch(context, recipes(1, 70))
    process_fetched(context)
    (cluster,) = context.templates.clusters()
    (before,) = context.templates.versions(cluster)
    fetch(context, recipes(71, 80))
    process_fetched(context)
    (after,) = context.templates.versions(cluster)
    assert after.definition == before.definition
    assert len(list(context.templates.extracted_in_cluster(cluster))) == 80


def test_a_new_section_is_news_once_two_pages_have_it(context: RunContext) -> None:
    fetch(context, recipes(1, 8))
    process_fetched(context)
    assert not news(context)
    tips = "<h2>Tips</h2><p>Serve it warm.</p>"
    fetch(context, recipes(9, 9, tips))
    process_fetched(context)
    assert not news(context)
    fetch(context, recipes(10, 11, tips))
    process_fetched(context)
    assert [notice.data["slot"] for notice in news(context)] == ["section:tips"]


def test_a_page_that_proves_to_be_a_record_later_is_read_from_its_snapshot(
    context: RunContext,
) -> None:
    fetch(context, recipes(1, 3), "sample")
    process_fetched(context)
    process_classified(context)
    assert context.extractions.ids() == []
    assert queue_unread_records(context) == 0

    (first, *_) = context.links.all()
    told = [NewDecision(first.id, "record", "told so")]
    context.links.decide(told, context.run)
    assert queue_unread_records(context) == 1
    assert process_classified(context) == 1
    assert len(context.extractions.ids()) == 1
    assert queue_unread_records(context) == 0


def test_a_link_to_where_a_known_record_is_leads_to_a_record(
    context: RunContext,
) -> None:
    fetch(context, {})
    context.pages.enqueue([PageRequest(f"{HOME}r/1")], context.run)
    (page,) = context.pages.all()
    own = f"{HOME}recipes/1/"
    body = recipe_page(1).encode()
    context.pages.store_results([FetchResult(page.id, FetchOutcome.OK, body, 200, own)])
    process_fetched(context)
    source = RecordSource(page.id, "", 0, 0)
    context.records.store([NewRecord(url_key(own), own, {"title": "Oats"}, source)])

    never = (RuleAction.NEVER, RuleScope.PATTERN, "/r/*", "")
    assert preview_rule(context, *never).hidden_records == 1, "/r/1 leads to it"

    fetch(context, {own: recipe_page(1)}, "sample")
    decide_links(context)
    assert preview_rule(context, *never).hidden_records == 0, "another link does, too"
    (link,) = context.links.all()
    assert (link.decision, link.reason) == ("record", "a known record is there")


def test_of_two_pages_of_a_record_the_one_fetched_last_counts(
    context: RunContext,
) -> None:
    own = f"{HOME}recipes/1/"
    urls = [own, f"{HOME}r/1"]
    context.run = context.runs.begin().id
    context.pages.enqueue([PageRequest(url, GIVEN) for url in urls], context.run)
    pages = {page.url: page.id for page in context.pages.all()}
    for url, number in ((urls[1], 2), (urls[0], 3)):
        body = recipe_page(number).encode()
        found = FetchResult(pages[url], FetchOutcome.OK, body, 200, own)
        context.pages.store_results([found])
    process_fetched(context)
    process_classified(context)
    import_records(context)
    (record,) = context.records.all()
    assert record.page_id == pages[own]
    assert stages(context) == {"done"}
