"""A server that is killed while people edit records, say what links are, save searches,
change settings and accept drafts: what was confirmed is stored, and nothing by halves.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx2
import pytest

from read_pages import HOME, read_collection
from scythe.collect.collection import Collection
from scythe.collect.search import RecordQuery
from scythe.store import Store
from web_visit import AppServer

AT = "/collections/oats"
DELAYS = (0.1, 0.6)
"""Seconds from the first confirmed change to the kill."""
RECORDS = 24


@dataclass
class Editor:
    """Somebody who does one thing again and again, as fast as the server takes it."""

    url: str
    change: Callable[[int], tuple[str, dict[str, str]]]
    """Where the form of a number is sent to, and what is sent."""
    confirmed: list[int] = field(default_factory=list)
    first: threading.Event = field(default_factory=threading.Event)
    refused: str = ""
    """What the server did not take, with its answer."""

    def work(self, begin: int) -> None:
        """Go on until the server is gone."""
        with httpx2.Client(base_url=self.url, timeout=30) as client:
            try:
                page = client.get(f"{AT}/settings").text
                token = re.search(r'name="csrf" value="(\w+)"', page)
                assert token
                for number in range(begin, begin + 10_000):
                    path, sent = self.change(number)
                    answer = client.post(AT + path, data={"csrf": token[1], **sent})
                    if answer.status_code != 303:
                        self.refused = f"{number}: {answer.status_code} {answer.text}"
                        self.first.set()
                        return
                    self.confirmed.append(number)
                    self.first.set()
            except httpx2.TransportError:
                self.first.set()


def edit(number: int) -> tuple[str, dict[str, str]]:
    """Rename a record: one after the other, each again and again."""
    record = number % RECORDS + 1
    return f"/records/{record}/edit", {"field.title": f"Soup {number}"}


def hide(number: int) -> tuple[str, dict[str, str]]:
    """Hide a record, and show it again the next time."""
    what = "show" if number // RECORDS % 2 else "hide"
    return f"/records/{number % RECORDS + 1}/hide", {"what": what}


def save_search(number: int) -> tuple[str, dict[str, str]]:
    """Keep a search, in place of an earlier one: a collection has room for some."""
    name = f"search {number % RECORDS}"
    return "/searches", {"name": name, "query": f"?q=soup{number}"}


def add_rule(number: int) -> tuple[str, dict[str, str]]:
    """Say that some addresses are no records."""
    sent = {"action": "never", "scope": "pattern", "value": f"/{number}/*"}
    return "/links/rule", sent


def change_settings(number: int) -> tuple[str, dict[str, str]]:
    """Change two settings at once."""
    both = {"delay": str(number), "max_pages": str(number)}
    return "/settings", {"name": "oats", "kind": "recipe", "url": HOME, **both}


def kill_while(
    database: str, change: Callable[[int], tuple[str, dict[str, str]]]
) -> list[int]:
    """Let somebody edit, kill the server, and again; return what was confirmed."""
    confirmed: list[int] = []
    for delay in DELAYS:
        with AppServer(database, "--allow-private") as app:
            editor = Editor(app.url, change)
            begin = confirmed[-1] + 2 if confirmed else 1
            thread = threading.Thread(target=editor.work, args=(begin,))
            thread.start()
            assert editor.first.wait(60)
            time.sleep(delay)
            app.kill()
            thread.join()
        assert not editor.refused
        assert editor.confirmed
        confirmed += editor.confirmed
    return confirmed


@pytest.fixture
def oats(database: str) -> str:
    """A database with records whose fields have names."""
    with Store.open(database) as store:
        read_collection(store, pages=RECORDS)
    with Collection.open("oats", db=database) as collection:
        collection.accept_suggestions()
    return database


def test_edits_that_were_confirmed_are_stored_with_their_history(oats: str) -> None:
    confirmed = kill_while(oats, edit)
    last = {number % RECORDS + 1: number for number in confirmed}
    with Collection.open("oats", db=oats) as collection:
        for record_id, number in last.items():
            record = collection.record(record_id)
            title = str((record.fields or {})["title"])
            # One more may have been stored whose answer never arrived.
            assert int(title.removeprefix("Soup ")) >= number
            assert collection.history(record)[-1].fields == record.fields


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_what_was_hidden_is_hidden_in_the_search_too(oats: str) -> None:
    kill_while(oats, hide)
    with Collection.open("oats", db=oats) as collection:
        found = collection.search.find(RecordQuery(), 0, RECORDS)
        listed = {record.id for record in collection.search.records(found.records)}
        for number in range(1, RECORDS + 1):
            is_hidden = collection.record(number).state == "hidden"
            assert (number in listed) is not is_hidden


def test_searches_and_rules_that_were_confirmed_are_stored(oats: str) -> None:
    searches = kill_while(oats, save_search)
    rules = kill_while(oats, add_rule)
    with Collection.open("oats", db=oats) as collection:
        saved = collection.saved_searches()
        for number in searches:
            query = saved[f"search {number % RECORDS}"]
            assert int(query.removeprefix("?q=soup")) >= number
        stored = " ".join(rule.words for rule in collection.link_rules())
        assert all(f"/{number}/*" in stored for number in rules)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_settings_are_stored_together_or_not_at_all(oats: str) -> None:
    confirmed = kill_while(oats, change_settings)
    with Collection.open("oats", db=oats) as collection:
        settings = collection.row.settings
    assert int(settings["delay"]) == settings["max_pages"] >= confirmed[-1]


def test_drafts_are_accepted_all_or_none(database: str) -> None:
    with Store.open(database) as store:
        read_collection(store, pages=RECORDS)
    with AppServer(database) as app:
        with httpx2.Client(base_url=app.url, timeout=30) as client:
            page = client.get(f"{AT}/settings").text
            token = re.search(r'name="csrf" value="(\w+)"', page)
            assert token
            sent = {"csrf": token[1]}
            answer = client.post(f"{AT}/suggestions", data=sent)
            assert answer.status_code == 303
        app.kill()
    with AppServer(database) as app:
        deadline = time.monotonic() + 120
        with Collection.open("oats", db=database) as collection:
            while not collection.records_are_current():
                assert time.monotonic() < deadline
                time.sleep(0.2)
            names = {name for name, _ in collection.annotation.names.values()}
            assert names
            for record in collection.records():
                assert record.state == "ok"
                assert "title" in (record.fields or {})
