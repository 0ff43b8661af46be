"""What a person says of records and links stays said: drafts, values, rules, and how a
run ended.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.collection import Collection
from scythe.collect.publish.notify import signature
from scythe.collect.views import RunProgress, RunState
from scythe.errors import ScytheError, UsageError


@pytest.fixture
def site() -> Iterator[Served]:
    growing = GrowingSite()
    growing.grow(1, 8)
    with Served(growing) as served:
        yield served


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'scythe.db'}"


def test_drafts_are_readable_until_somebody_says_yes(site: Served, db: str) -> None:
    seen: list[RunProgress] = []
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as kitchen:
        summary = kitchen.run(on_progress=seen.append)
        assert (summary.state, summary.reason) == (RunState.DONE, "")
        assert kitchen.counts() == {"draft": 8}
        assert kitchen.has_drafts()
        assert "title" in kitchen.drafts().values()
        records = list(kitchen.records("draft"))
        assert all((record.fields or {})["ingredients"] for record in records)
        for before, after in pairwise(seen):
            for name in ("known", "fetched", "read", "records"):
                assert getattr(before, name) <= getattr(after, name)
        assert (seen[-1].fetched, seen[-1].records) == (seen[-1].known, 8)

        kitchen.accept_suggestions()
        assert kitchen.counts() == {"ok": 8}
        kitchen.undo_annotation()
        kitchen.update_records()
        assert kitchen.counts() == {"draft": 8}
        accepted = kitchen.accept_record(records[0].key, by="ada")
        assert accepted.state == "ok"
        assert not kitchen.run(refetch_all=True).records
        assert kitchen.counts() == {"ok": 1, "draft": 7}
        assert kitchen.history(records[0])[-1].made_by == "ada"
        kitchen.dismiss_suggestions()
        assert "draft" not in kitchen.counts()


def test_values_of_an_operator_outlive_every_run(site: Served, db: str) -> None:
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as kitchen:
        kitchen.run()
        kitchen.accept_suggestions()
        first, second, *_ = kitchen.records()
        edited = kitchen.edit_record(
            first.key, {"title": "Hay soup", "total_time": "1 h 5 min"}, by="ada"
        )
        assert edited.fields is not None
        assert (edited.fields["title"], edited.fields["total_time"]) == ("Hay soup", 65)
        with pytest.raises(UsageError, match="no field colour"):
            kitchen.edit_record(first.key, {"colour": "red"})
        with pytest.raises(UsageError, match="total_time is malformed"):
            kitchen.edit_record(first.key, {"total_time": "long"})
        kitchen.hide_record(second.key, by="ada")

        site.site.redesigned = True
        for recipe in site.site.recipes.values():
            recipe.minutes += 1
        kitchen.run(refetch_all=True)
        after = kitchen.record_with_key(first.key)
        assert after.fields is not None
        assert after.fields["title"] == "Hay soup"
        assert kitchen.counts() == {"ok": 7, "hidden": 1}
        assert [version.made_by for version in kitchen.history(first)][1:3] == [
            "",
            "ada",
        ]
        reset = kitchen.reset_record(first.key)
        assert reset.fields is not None
        assert reset.fields["title"] == (first.fields or {})["title"]
        kitchen.show_record(second.key)
        assert kitchen.counts() == {"ok": 8}


def test_link_rules_are_given_previewed_and_taken_back(site: Served, db: str) -> None:
    site.site.links = [("/about", "About"), ("/imprint", "Imprint")]
    extra = site.site._recipe(next(iter(site.site.recipes.values()))).encode()
    site.site.extra["/more/soup.html"] = (200, {"Content-Type": "text/html"}, extra)
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as kitchen:
        kitchen.run()
        rye = next(record.url for record in kitchen.records() if "rye" in record.url)
        preview = kitchen.preview_link_rule("never", "/recipes/rye-*", "pattern")
        assert (preview.links, preview.changed, preview.hidden_records) == (1, 1, 1)
        assert preview.examples == [rye]
        assert kitchen.counts() == {"draft": 8}

        never = kitchen.add_link_rule("never", "/recipes/rye-*", "pattern", by="ada")
        kitchen.add_link_rule("record", f"{site.url}/more/soup.html")
        assert kitchen.counts() == {"draft": 7, "hidden": 1}
        site.site.asked.clear()
        summary = kitchen.run(refetch_all=True)
        assert rye.removeprefix(site.url) not in {path for path, _ in site.site.asked}
        assert summary.records["new"] == 1
        assert kitchen.counts() == {"draft": 8, "hidden": 1}
        assert any("you said" in reason for reason in kitchen.skipped_links())

        kitchen.remove_link_rule(never.id)
        kitchen.run(refetch_all=True)
        assert "hidden" not in kitchen.counts()
        assert [rule.words for rule in kitchen.link_rules()] == [
            f"{site.url}/more/soup.html leads to a record"
        ]
        with pytest.raises(UsageError, match="every address"):
            kitchen.add_link_rule("never", "/*", "pattern")
        assert kitchen.counts()["draft"] == 9


def test_a_list_and_a_start_page_by_hand(site: Served, db: str) -> None:
    site.site.extra["/"] = (
        200,
        {"Content-Type": "text/html"},
        b"<h1>Nothing</h1><p>here yet, but come back</p>",
    )
    site.site.extra["/all"] = (
        200,
        {"Content-Type": "text/html"},
        site.site._home().encode(),
    )
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as kitchen:
        summary = kitchen.run()
        assert summary.state is RunState.EMPTY
        assert "No record was found" in summary.reason
        kitchen.add_start_page("/all")
        assert kitchen.start_pages() == [f"{site.url}/", f"{site.url}/all"]
        assert kitchen.run().state is RunState.DONE
        assert kitchen.counts() == {"draft": 8}

        one = next(iter(kitchen.records())).url
        rule = kitchen.add_link_rule("never", one, "list")
        assert kitchen.counts() == {"hidden": 8}
        kitchen.remove_link_rule(rule.id)
        assert kitchen.counts() == {"draft": 8}
        kitchen.remove_start_page("/all")
        assert kitchen.start_pages() == [f"{site.url}/"]


@pytest.mark.parametrize(
    ("status", "state", "words"),
    [
        (401, RunState.REFUSED, "asks for a login"),
        (403, RunState.REFUSED, "does not let this program in"),
        (404, RunState.NOT_FOUND, "there is no such page"),
        (503, RunState.UNAVAILABLE, "down or overloaded"),
    ],
)
def test_a_run_says_why_its_start_page_could_not_be_read(
    site: Served, db: str, status: int, state: RunState, words: str
) -> None:
    site.site.extra["/"] = (status, {"Content-Type": "text/html"}, b"<h1>No</h1>")
    with Collection.add(
        f"{site.url}/", "kitchen", "recipe", db=db, retries=0
    ) as kitchen:
        summary = kitchen.run()
        assert summary.state is state
        assert words in summary.reason
        (run,) = kitchen.runs()
        assert (run.state, run.summary["reason"]) == (state, summary.reason)
        del site.site.extra["/"]
        assert kitchen.run().state is RunState.DONE
        assert kitchen.counts() == {"draft": 8}


def test_robots_trouble_of_the_server_and_no_server_are_told_apart(
    site: Served, db: str
) -> None:
    with Collection.add(
        f"{site.url}/", "kitchen", "recipe", db=db, retries=0
    ) as kitchen:
        site.site.robots = "User-agent: *\nDisallow: /"
        assert kitchen.run().state is RunState.ROBOTS
        site.site.extra["/robots.txt"] = (503, {}, b"")
        summary = kitchen.run()
        assert summary.state is RunState.UNAVAILABLE
        assert "503" in summary.reason
    with Collection.add("http://127.0.0.1:9/", "none", db=db, retries=0) as nothing:
        summary = nothing.run()
        assert summary.state is RunState.UNREACHABLE
        assert "refused the connection" in summary.reason


def test_settings_are_checked_and_changed(site: Served, db: str) -> None:
    with pytest.raises(UsageError, match="cannot be the name"):
        Collection.add(f"{site.url}/", "a/b", db=db)
    for name in ("..", "-rf"):
        with pytest.raises(UsageError, match="cannot be the name"):
            Collection.add(f"{site.url}/", name, db=db)
    with pytest.raises(UsageError, match="max_pages must be"):
        Collection.add(f"{site.url}/", "big", db=db, max_pages=10**23)
    with Collection.add(f"{site.url}/", "kitchen", "recipe", db=db) as kitchen:
        kitchen.change(name="larder", delay=2.0, schedule="daily at 03:30")
        assert (kitchen.row.name, kitchen.schedule.text) == (
            "larder",
            "daily at 03:30",
        )
        for wrong in ({"delay": -1}, {"schedule": "often"}, {"colour": 1}):
            with pytest.raises(UsageError):
                kitchen.change(**wrong)
        mistyped: list[dict[str, Any]] = [
            {"robots": "no"},
            {"private": "no"},
            {"keep_media": 5},
            {"render": "x"},
            {"media": []},
            {"paused": "no"},
            {"notify": 5},
            {"notify": True},
            {"notify": [{"webhook": 5}]},
            {"notify": [{"mail": "ada@a.example", "private": "no"}]},
            {"user_agent": "ada\r\nX-Admin: 1"},
            {"user_agent": 5},
            {"kind": "x" * 9000},
            {"kind": "a\nb"},
        ]
        for settings in mistyped:
            with pytest.raises(UsageError):
                kitchen.change(**settings)
        kitchen.change(delay=None, schedule="never", paused=True)
        assert dict(kitchen.row.settings) == {"schedule": "never"}
        assert not kitchen.is_due()


@pytest.mark.parametrize(
    "answer", [b"no HTTP at all\r\n\r\n", b"HTTP/1.1 x y\r\n\r\n", b""]
)
def test_a_receiver_that_speaks_no_http_ends_no_run(
    site: Served, db: str, answer: bytes
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as receiver:

        def respond() -> None:
            with suppress(OSError):  # the test is over
                while True:
                    connection, _ = receiver.accept()
                    with connection:
                        connection.recv(65_536)
                        connection.sendall(answer)

        threading.Thread(target=respond, daemon=True).start()
        webhook = f"http://127.0.0.1:{receiver.getsockname()[1]}/hook"
        notify = [{"webhook": webhook, "private": True}, {"command": "no 'end"}]
        with Collection.add(
            f"{site.url}/", "kitchen", "recipe", db=db, notify=notify
        ) as kitchen:
            kitchen.run()
            kitchen.accept_suggestions()
            summary = kitchen.run()
    assert summary.state is RunState.DONE
    assert len(summary.trouble) == 2
    assert all("could not be notified" in line for line in summary.trouble)


def test_receivers_are_notified_once_of_what_is_new(
    site: Served, db: str, tmp_path: Path
) -> None:
    script = tmp_path / "receive.py"
    got = tmp_path / "got.jsonl"
    script.write_text(
        "import sys\n"
        f"with open({str(got)!r}, 'a') as out:\n"
        "    out.write(sys.stdin.read() + '\\n')\n"
    )
    command = f"{sys.executable} {script}"
    notify = [{"command": command}, {"webhook": f"{site.url}/hook", "secret": "hay"}]
    with Collection.add(
        f"{site.url}/", "kitchen", "recipe", db=db, notify=notify
    ) as kitchen:
        summary = kitchen.run()
        assert "private machine" in summary.trouble[-1]
        kitchen.change(notify=[{"command": command}])
        site.site.grow(50, 1)
        kitchen.run()
        kitchen.run()
    first, second = [json.loads(line) for line in got.read_text().splitlines()]
    assert (first["total"], second["total"]) == (8, 1)
    assert second["changes"][0]["change"] == "new"
    assert signature(b"body", "hay").startswith("sha256=")
    with pytest.raises(ScytheError, match="webhook, a command or a mail"):
        kitchen.change(notify=[{"secret": "x"}])
