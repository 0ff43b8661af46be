"""Collections in a person's hands, by forms: drafts accepted, links overruled, records
edited and hidden, settings changed, and a home page that says what happened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from read_pages import HOME, read_collection
from scythe.collect.catalogue import Collections
from scythe.collect.context import RunContext
from scythe.store import Store
from scythe.web.collections.scheduler import Scheduler
from scythe.web.server.jobs import Jobs
from visitor import Visitor, words_of

AT = "/collections/oats"
HOSTILE = "<script>alert(1)</script>"

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def work(store: Store) -> RunContext:
    return read_collection(store)


@pytest.fixture
def visitor(store: Store, work: RunContext) -> Iterator[Visitor]:
    with Visitor(store) as visitor:
        yield visitor


def shown(visitor: Visitor, path: str) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_suggestions_are_accepted_from_the_overview(
    visitor: Visitor, work: RunContext
) -> None:
    visitor.send(f"{AT}/suggestions")
    assert {"title", "ingredients"} <= {given[0] for given in work.slot_fields.values()}
    page = shown(visitor, AT)
    assert "Soup no. 1" in page
    assert "Are these right?" not in page


def test_a_record_is_edited_hidden_and_shown_again(
    visitor: Visitor, store: Store
) -> None:
    visitor.send(f"{AT}/suggestions")
    collection = Collections(store).get("oats")
    record = next(iter(collection.records()))
    at = f"{AT}/records/{record.id}"
    assert "Soup no. 1" in shown(visitor, f"{at}/edit")
    page = visitor.send(f"{at}/edit", **{"field.title": HOSTILE})
    assert HOSTILE not in page.text
    assert collection.record(record.id).fields == {
        **(record.fields or {}),
        "title": HOSTILE,
    }
    assert "Edited by a person" in page.text
    visitor.send(f"{at}/edit", what="reset")
    assert 'value="11 min"' in shown(visitor, f"{at}/edit")
    visitor.send(f"{at}/edit", **{"field.total_time": "1 h 30 min"})
    assert (collection.record(record.id).fields or {})["total_time"] == 90
    visitor.send(f"{at}/edit", what="reset")
    assert (collection.record(record.id).fields or {})["title"] == "Soup no. 1"
    assert "Show again" in visitor.send(f"{at}/hide", what="hide").text
    assert "<strong>11</strong> records" in shown(visitor, f"{AT}/records")
    visitor.send(f"{at}/hide", what="show")
    assert "<strong>12</strong> records" in shown(visitor, f"{AT}/records")


def test_links_are_overruled_with_a_preview(visitor: Visitor, store: Store) -> None:
    asked = f"{AT}/links/rule?action=never&scope=pattern&value=/about/*"
    assert "0 known links" in words_of(shown(visitor, asked))
    rule = {"action": "never", "scope": "pattern", "value": "/about/*"}
    listed = visitor.send(f"{AT}/links/rule", **rule).text
    assert "/about/*" in listed
    number = re.search(r'name="rule" value="(\d+)"', listed)
    assert number
    left = visitor.send(f"{AT}/links/rule/remove", rule=number[1]).text
    assert "None yet" in left
    assert visitor.get(f"{AT}/links/rule?action=burn&value=/x").status_code == 400


def test_a_page_is_said_to_be_no_record_from_annotate(
    visitor: Visitor, store: Store
) -> None:
    visitor.send(f"{AT}/suggestions")
    page = shown(visitor, f"{AT}/annotate")
    asked = re.search(r'href="([^"]*links/rule\?[^"]*back=annotate)"', page)
    assert asked
    preview = shown(visitor, unescape(asked[1]))
    assert "1 record would be hidden" in words_of(preview)
    fields = dict(
        re.findall(r'name="(action|scope|value|back)" value="(.*?)"', preview)
    )
    answer = visitor.send(f"{AT}/links/rule", **fields)
    assert answer.url.path == f"{AT}/annotate"
    assert Collections(store).get("oats").counts()["hidden"] == 1


def test_a_record_in_review_is_said_to_be_none(visitor: Visitor, store: Store) -> None:
    page = shown(visitor, f"{AT}/review")
    asked = re.search(r'href="([^"]*links/rule\?[^"]*back=review)"', page)
    assert asked
    rule = parse_qs(urlsplit(unescape(asked[1])).query)
    answer = visitor.send(f"{AT}/links/rule", **{k: v[0] for k, v in rule.items()})
    assert answer.url.path == f"{AT}/review"
    assert Collections(store).get("oats").counts()["hidden"] == 1


def test_searches_are_saved_opened_and_removed(visitor: Visitor) -> None:
    visitor.send(f"{AT}/suggestions")
    page = shown(visitor, f"{AT}/records?q=soup&sort=title&page=1")
    assert 'name="query" value="?q=soup&amp;sort=title"' in page
    saved = visitor.send(f"{AT}/searches", name=HOSTILE, query="?q=soup&evil=1")
    assert saved.url.query == b"q=soup"
    assert HOSTILE not in saved.text
    assert "Save search" not in saved.text
    for path in ("/", f"{AT}/records"):
        assert f'href="{AT}/records?q=soup"' in shown(visitor, path)
    assert visitor.send(f"{AT}/searches", name=" ", query="?q=x").status_code == 400
    left = visitor.send(f"{AT}/searches/remove", name=HOSTILE, query="").text
    assert "saved-searches" not in left


def test_settings_are_changed_and_wrong_ones_refused(
    visitor: Visitor, store: Store
) -> None:
    sent = {"name": "larder", "kind": "product", "url": HOME, "delay": "2"}
    visitor.send(f"{AT}/settings", **sent, own_schedule="daily at 03:30")
    row = Collections(store).get("larder").row
    assert (row.kind, row.settings["delay"]) == ("product", 2.0)
    assert row.settings["schedule"] == "daily at 03:30"
    at = "/collections/larder/settings"
    wrong = visitor.send(at, **{**sent, "name": "..", "own_schedule": ""})
    assert wrong.status_code == 400
    assert "cannot be the name" in wrong.text
    assert visitor.send(at, **sent, own_schedule="whenever").status_code == 400
    started = visitor.send(f"{at}/start", what="add", start=f"{HOME}more")
    assert f"{HOME}more" in started.text


def test_notifications_are_set_up_and_never_run_commands(
    visitor: Visitor, store: Store
) -> None:
    at = f"{AT}/settings/notify"
    page = visitor.send(at, what="add", target="https://hook.example/x", secret="hay")
    assert "https://hook.example/x" in page.text
    assert "hay" not in page.text
    assert visitor.send(at, what="add", target="rm -rf /").status_code == 400
    visitor.send(at, what="remove", number="0")
    assert not Collections(store).get("oats").row.settings.get("notify")


def test_the_home_page_says_what_happened(visitor: Visitor, work: RunContext) -> None:
    run = work.runs.begin("pages").id
    work.runs.end(run, {"records": {"new": 7, "gone": 1}})
    words = words_of(shown(visitor, "/"))
    assert "7 new" in words
    assert "1 gone" in words
    assert "In the last 24 hours" in words
    assert "In the last 24 hours" in words_of(shown(visitor, "/")), "the same visit"
    hour_ago = int(datetime.now(UTC).timestamp()) - 3600
    later = visitor.get("/", Cookie=f"scythe_visit=0-{hour_ago}")
    assert "Since your last visit 1 hour ago" in words_of(later.text)


def test_what_is_due_is_run_while_the_server_runs(
    store: Store, work: RunContext
) -> None:
    started: list[str] = []

    class Started(Jobs):
        def start(self, key: str, *_: object) -> Any:
            started.append(key)

    scheduler = Scheduler(Collections(store), Started())
    Collections(store).get("oats").change(schedule="never")
    assert scheduler.run_due() == []
    read_collection(store, "new", pages=0)
    Collections(store).get("oats").change(schedule=None)
    assert "oats" in scheduler.run_due()
    assert "run/oats" in started
