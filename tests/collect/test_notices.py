"""Notices: what is new is told soon however old a template is, pages that had it are
read again, and what matters most comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from read_pages import HOME, recipe_page
from scythe.collect.context import RunContext
from scythe.collect.fields.notices import NoticeRank, group_notices
from scythe.collect.fields.same_values import notice_same_values
from scythe.collect.steps.importer import import_records
from scythe.collect.steps.pipeline import process_classified, process_fetched
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.index_pages import IndexPageVisit, NewIndexPage, SeenLink
from scythe.store.collections.links import NewDecision
from scythe.store.collections.pages import FetchResult, PageRequest
from scythe.store.collections.records import NewRecord, RecordSource
from scythe.store.collections.runs import NoticeRow
from scythe.store.columns import now
from scythe.store.states import FetchOutcome, NoticeState
from scythe.templates.template.template import Template
from scythe.urls import url_key

NOWHERE = RecordSource(None, "", 0, 0)
"""Where records come from that were read from no page."""


@pytest.fixture
def context(tmp_path: Any) -> Iterator[RunContext]:
    with Store.open(f"sqlite:///{tmp_path / 'notices.db'}") as store:
        rows = CollectionRows(store)
        rows.add("oats", HOME, "recipe")
        context = RunContext(store, rows.get("oats"))
        context.index_pages.add([NewIndexPage(HOME, "html")])
        yield context


def run(context: RunContext, pages: Mapping[str, str]) -> None:
    """Fetch pages of records in a run of their own, and read them."""
    context.run = context.runs.begin().id
    links = [SeenLink(url, url, "html/body/a") for url in pages]
    visit = IndexPageVisit(FetchOutcome.CHANGED, 1.0, now(), links=links)
    context.index_pages.store_visit(context.index_pages.all()[0].id, context.run, visit)
    found = [link for link in context.links.all() if link.url in pages]
    decisions = [NewDecision(link.id, "record", "told so") for link in found]
    context.links.decide(decisions, context.run)
    context.pages.enqueue([PageRequest(url) for url in pages], context.run)
    numbers = {page.url: page.id for page in context.pages.all()}
    results = [
        FetchResult(numbers[url], FetchOutcome.OK, html.encode(), 200, url)
        for url, html in pages.items()
    ]
    context.pages.store_results(results)
    process_fetched(context)
    process_classified(context)
    import_records(context)
    context.runs.end(context.run, {})


def level(number: int) -> str:
    return f"<p class=level>Level: {'easy' if number % 3 else 'hard'} {number}</p>"


def recipes(first: int, last: int, *, with_level: bool = False) -> dict[str, str]:
    return {
        f"{HOME}{number}": recipe_page(number, level(number) if with_level else "")
        for number in range(first, last + 1)
    }


def new_attributes(context: RunContext) -> list[NoticeRow]:
    notices = context.runs.notices()
    return [notice for notice in notices if "Level" in notice.data["message"]]


def values(context: RunContext, slot: str) -> dict[int, Sequence[str]]:
    """Return the values of a slot by page."""
    (cluster,) = context.templates.clusters()
    rows = context.templates.extracted_in_cluster(cluster)
    return {row.page_id: row.slots[slot] for row in rows if slot in row.slots}


def test_a_new_row_is_told_on_a_template_of_any_age(context: RunContext) -> None:
    run(context, recipes(1, 70))
    assert not new_attributes(context)
    run(context, recipes(71, 75, with_level=True))
    (notice,) = new_attributes(context)
    assert notice.kind == "new attribute"
    run(context, recipes(76, 82, with_level=True))
    assert len(new_attributes(context)) == 1
    slot = str(notice.data["slot"]).rpartition(":")[2]
    assert len(values(context, slot)) == 12


def test_a_rare_new_row_is_told_too(context: RunContext) -> None:
    run(context, recipes(1, 70))
    for number in (80, 90, 100):
        run(context, recipes(number - 9, number - 1))
        run(context, recipes(number, number, with_level=True))
    assert len(new_attributes(context)) == 1


def test_a_template_tells_of_what_every_tenth_page_has_after_five() -> None:
    template = Template.induce(
        [(recipe_page(number), str(number)) for number in range(1, 31)]
    )
    told_after = 0
    for number in range(31, 120):
        is_rare = number % 10 == 0
        page = recipe_page(number, level(number) if is_rare else "")
        update = template.update((page, str(number)))
        if any("Level" in notice.message for notice in update.notices):
            assert not told_after
            told_after = number
    assert 40 <= told_after <= 80


def test_pages_that_had_a_value_before_it_was_data_are_read_again(
    context: RunContext,
) -> None:
    same = "<p class=oven>Oven: none</p>"
    pages = {f"{HOME}{n}": recipe_page(n, same) for n in range(1, 71)}
    run(context, pages)
    other = "<p class=oven>Oven: hot</p>"
    run(context, {f"{HOME}71": recipe_page(71, other)})
    (cluster,) = context.templates.clusters()
    rows = list(context.templates.extracted_in_cluster(cluster))
    ovens = {text for row in rows for found in row.slots.values() for text in found}
    assert {"none", "hot"} <= ovens
    with_oven = [row for row in rows if ["none"] in row.slots.values()]
    assert len(with_oven) == 70


def test_reading_gone_pages_again_brings_no_record_back(context: RunContext) -> None:
    same, other = "<p class=oven>Oven: none</p>", "<p class=oven>Oven: hot</p>"
    pages = {f"{HOME}{n}": recipe_page(n, same) for n in range(1, 9)}
    run(context, pages)
    gone = context.pages.get(f"{HOME}1")
    assert gone is not None
    context.pages.enqueue([PageRequest(gone.url)], context.run + 1)
    context.pages.store_results([FetchResult(gone.id, FetchOutcome.GONE, status=404)])
    context.records.mark_gone([url_key(gone.url)], context.run)
    context.records.move(url_key(f"{HOME}2"), url_key(f"{HOME}b"), f"{HOME}b")
    context.pages.mark_gone([f"{HOME}2"])

    run(context, {f"{HOME}20": recipe_page(20, other)})
    (cluster,) = context.templates.clusters()
    rows = list(context.templates.extracted_in_cluster(cluster))
    assert sum(["none"] in row.slots.values() for row in rows) == 8, "all read again"
    urls = {record.url for record in context.records.all() if record.state != "gone"}
    assert urls == {f"{HOME}{name}" for name in ("b", 20, *range(3, 9))}
    assert [record.url for record in context.records.all("gone")] == [gone.url]


def test_a_field_that_no_longer_tells_records_apart_is_told_once(
    context: RunContext,
) -> None:
    def store(titles: Sequence[str]) -> list[str]:
        context.records.store(
            NewRecord(str(n), f"{HOME}{n}", {"title": title, "kind": "oats"}, NOWHERE)
            for n, title in enumerate(titles)
        )
        return notice_same_values(context)

    names = [f"Dish {number}" for number in range(12)]
    assert store(names) == []
    assert store(["Ingredients"] * 11 + ["Tips"]) == ["title"]
    assert store(["Ingredients"] * 12) == []
    (told,) = context.runs.notices()
    assert told.data["message"].startswith("title is the same in 11 of 12 records")
    (group,) = group_notices([told], {})
    assert group.affects_named
    assert store(names) == []


def notice(number: int, kind: str, slot: str, pages: int = 0) -> NoticeRow:
    data = {"slot": slot, "message": "it changed", "pages": pages}
    given = datetime(2026, 1, 1, tzinfo=UTC)
    return NoticeRow(number, str(number), kind, data, NoticeState.OPEN, 1, given, None)


def test_what_was_named_comes_first_and_the_same_is_put_together() -> None:
    notices = [
        notice(1, "order changed", "0:s8"),
        notice(2, "new attribute", "section:tips", 2),
        notice(3, "new attribute", "section:notes", 5),
        notice(4, "attribute vanished", "0:s3", 40),
        notice(5, "attribute vanished", "0:s9", 40),
        notice(6, "new attribute", "0:s12", 3),
    ]
    groups = group_notices(notices, {"0:s3": ["price", "price"]})
    numbers = [[member.id for member in group.notices] for group in groups]
    assert numbers == [[4], [3, 2], [6], [5], [1]]
    assert [group.rank for group in groups][:2] == [NoticeRank.NAMED, NoticeRank.NEW]
    assert groups[0].summary == "missing on the last pages: price"
    assert groups[0].affects_named
    assert "nothing that you named" in groups[1].summary
    assert not groups[-1].affects_named
