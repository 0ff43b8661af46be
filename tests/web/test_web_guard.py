"""Who gets into the app, and what every answer carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.web.app import create_app
from scythe.web.server.guesses import MAX_OF_VISITOR, Guesses
from scythe.web.server.settings import Settings

LOCAL = Settings(port=80)
ABROAD = Settings(
    host="192.0.2.7", port=80, token="open sesame", names=("scythe.example",)
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "web.db")) as store:
        yield store


def client(
    store: Store, settings: Settings = LOCAL, host: str = "127.0.0.1"
) -> TestClient:
    return TestClient(
        create_app(Collections(store), settings),
        base_url=f"http://{host}",
        raise_server_exceptions=False,
    )


def csrf(visitor: TestClient, path: str = "/nothing") -> str:
    """The token that pages of this visitor carry; the page about an old form has one."""
    found = re.search(
        r'name="csrf" value="(\w+)"', visitor.post(path, data={"any": "thing"}).text
    )
    assert found
    return found[1]


def test_every_answer_has_a_policy_that_runs_nothing_but_our_own_files(
    store: Store,
) -> None:
    for path in ("/", "/nothing", "/static/style.css"):
        headers = client(store).get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert (
            headers["referrer-policy"] == "same-origin"
        )  # "no-referrer" would also take our own forms their origin


def test_pages_have_no_inline_script_or_style(store: Store) -> None:
    body = client(store).get("/").text
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", body))
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", body)


def test_scripts_do_not_hold_up_the_first_paint(store: Store) -> None:
    assert all(
        " defer" in tag
        for tag in re.findall(r"<script[^>]*>", client(store).get("/").text)
    )


@pytest.mark.parametrize(
    "name",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:80",
        "192.0.2.1",
    ],
)
def test_other_names_for_this_machine_are_not_answered(store: Store, name: str) -> None:
    assert client(store).get("/", headers={"host": name}).status_code == 421


@pytest.mark.parametrize(
    "name", ["localhost", "LOCALHOST:8000", "127.0.0.1:9", "[::1]", "[::1]:80"]
)
def test_its_own_names_are_answered(store: Store, name: str) -> None:
    assert client(store).get("/", headers={"host": name}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"origin": "http://127.0.0.1:81"},
    ],
)
def test_other_sites_cannot_send_forms_or_json(
    store: Store, headers: dict[str, str]
) -> None:
    visitor = client(store)
    token = csrf(visitor)
    assert (
        visitor.post("/nothing", data={"csrf": token}, headers=headers).status_code
        == 403
    )
    assert visitor.post("/api/nothing", json={}, headers=headers).status_code == 403


def test_a_form_needs_the_token_of_its_visitor(store: Store) -> None:
    visitor = client(store)
    assert visitor.post("/nothing", data={"csrf": csrf(visitor)}).status_code == 404
    assert (
        visitor.post("/nothing", data={"csrf": csrf(client(store))}).status_code == 403
    )
    assert visitor.post("/nothing").status_code == 403


def test_a_form_from_before_a_restart_can_be_sent_again_with_all_that_was_typed(
    store: Store,
) -> None:
    answer = client(store).post(
        "/nothing", data={"name": 'a "title"<b>', "csrf": "old"}
    )
    assert answer.status_code == 403
    assert 'name="name" value="a &#34;title&#34;&lt;b&gt;"' in answer.text
    assert "<b>" not in answer.text


def test_other_kinds_of_bodies_are_refused(store: Store) -> None:
    answer = client(store).post(
        "/nothing", content="{}", headers={"content-type": "text/plain"}
    )
    assert answer.status_code == 415


def test_bodies_are_limited(store: Store) -> None:
    assert (
        client(store)
        .post(
            "/api/nothing",
            content=b"x" * 21_000_000,
            headers={"content-type": "application/json"},
        )
        .status_code
        == 413
    )


def test_too_many_fields_are_refused(store: Store) -> None:
    answer = client(store).post(
        "/nothing",
        content="a=1&" * 3000,
        headers={"content-type": "application/x-www-form-urlencoded"},
    )
    assert answer.status_code == 400


def test_nothing_is_shown_to_other_machines_without_the_token(store: Store) -> None:
    visitor = client(store, ABROAD, "192.0.2.7")
    assert visitor.get("/").status_code == 401
    assert "collections" not in visitor.get("/").text.split("<main")[1].lower()
    assert visitor.get("/api/collections").status_code == 401
    assert visitor.get("/?token=wrong").status_code == 401


def test_the_token_opens_once_by_address_and_then_by_cookie(store: Store) -> None:
    visitor = client(store, ABROAD, "192.0.2.7")
    answer = visitor.get("/?token=open+sesame", follow_redirects=False)
    assert answer.status_code == 303
    assert "token" not in answer.headers["location"]
    assert "open sesame" not in answer.headers["set-cookie"]
    assert visitor.get("/").status_code == 200


def test_the_token_opens_by_form_and_by_header(store: Store) -> None:
    visitor = client(store, ABROAD, "scythe.example")
    page = visitor.get("/").text
    found = re.search(r'name="csrf" value="(\w+)"', page)
    assert found
    assert (
        visitor.post("/", data={"token": "open sesame", "csrf": found[1]}).status_code
        == 200
    )
    program = client(store, ABROAD, "scythe.example")
    assert (
        program.get("/", headers={"authorization": "Bearer open sesame"}).status_code
        == 200
    )
    assert program.get("/", headers={"authorization": "Bearer no"}).status_code == 401


def test_cookies_are_kept_from_scripts_and_other_sites(store: Store) -> None:
    cookie = client(store).get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert (
        "Secure"
        in client(store, Settings(port=80, tls=True)).get("/").headers["set-cookie"]
    )


def test_what_is_not_there_is_said(store: Store) -> None:
    answer = client(store).get("/<script>alert(1)</script>")
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text
    assert client(store).get("/api/nothing").json()["error"] == "Not found"


@pytest.mark.parametrize(
    "host",
    ["192.0.2.7/static/?", "192.0.2.7:80/static/x?", "192.0.2.7:x", "192.0.2.7#", ""],
)
def test_a_made_up_host_gets_nobody_past_the_token(store: Store, host: str) -> None:
    visitor = client(store, ABROAD, "192.0.2.7")
    answer = visitor.get("/collections", headers={"host": host})
    assert answer.status_code == 421
    assert visitor.get("/api/collections", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "path", ["//evil.example/x", "/\\evil.example", "///evil.example"]
)
def test_the_token_leads_to_no_other_site(store: Store, path: str) -> None:
    visitor = client(store, ABROAD, "192.0.2.7")
    url = f"http://192.0.2.7{path}?token=open+sesame"
    answer = visitor.get(url, follow_redirects=False)
    assert answer.status_code == 303
    assert re.match(r"/(?![/\\])", answer.headers["location"])


def test_tokens_cannot_be_guessed_in_a_row(store: Store) -> None:
    visitor = client(store, ABROAD, "192.0.2.7")
    inside = client(store, ABROAD, "192.0.2.7")
    inside.get("/?token=open+sesame")
    guesses = [visitor.get(f"/?token={n}").status_code for n in range(12)]
    assert guesses == [401] * 10 + [429] * 2
    bearer = {"authorization": "Bearer open sesame"}
    assert visitor.get("/api/collections", headers=bearer).status_code == 429
    assert visitor.get("/").status_code == 401  # without a token it is no guess
    assert inside.get("/").status_code == 200  # who is in stays in


def test_guesses_are_forgotten_after_a_minute() -> None:
    now = [0.0]
    guesses = Guesses(clock=lambda: now[0])
    for _ in range(MAX_OF_VISITOR):
        guesses.add("one")
    assert guesses.is_exhausted("one")
    assert not guesses.is_exhausted("two")
    now[0] = 61.0
    assert not guesses.is_exhausted("one")


def test_the_server_starts_and_says_what_is_wrong_with_the_database(
    tmp_path: Path,
) -> None:
    with Store.open(str(tmp_path / "web.db")) as store:
        CollectionRows(store).add("oats", "https://oats.example/", "recipe")
        with store.writing() as connection:
            connection.execute(text("UPDATE collections SET settings = '{'"))
        app = create_app(Collections(store), Settings(port=80))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            for path in ("/", "/collections", "/api/collections"):
                answer = client.get(path)
                assert answer.status_code == 503
                assert "scythe db check" in answer.text
            assert client.get("/extract").status_code == 200


def test_programs_need_send_no_body(store: Store) -> None:
    program = client(store)
    assert program.delete("/api/collections/nothing").status_code in (404, 405)
    assert program.post("/api/collections/nothing/runs").status_code in (404, 405)
    other_site = {"origin": "http://evil.example"}
    answer = program.post("/api/collections/nothing/runs", headers=other_site)
    assert answer.status_code == 403
