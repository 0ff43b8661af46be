"""Users and passwords in addresses go to the server that they are for: no message,
result, row or file repeats them.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from command_line import run_here
from crawl import page_record
from loopback import ARTICLE, Loopback, Reply, Visit
from scythe.collect.collection import Collection
from scythe.content.extract import extract
from scythe.engines.engine import Engine
from scythe.errors import FetchError, UsageError
from scythe.logins import without_logins
from scythe.sources import ReadOptions, UrlSource, fetch
from scythe.store import Store
from scythe.wrappers.find import records
from visitor import Visitor

PASSWORD = "scythe-and-whetstone"
EXPECTED = "Basic " + base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
NO_ROBOTS = ReadOptions(robots=False, delay=0)


def with_login(url: str) -> str:
    return url.replace("://", f"://ada:{PASSWORD}@", 1)


@pytest.fixture
def closed(web: Loopback) -> Loopback:
    """A site that lets nobody in without the password."""

    def answer(visit: Visit) -> Reply | None:
        given = {name.lower(): value for name, value in visit.headers.items()}
        if given.get("authorization") == EXPECTED:
            return None
        return 401, {"WWW-Authenticate": 'Basic realm="farm"'}, b"no"

    web.site = answer
    web.add("/gone", b"", status=404)
    return web


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://ada:pw@farm.example/a", "https://farm.example/a"),
        ("HTTP://token@farm.example", "HTTP://farm.example"),
        ("http://ada:p@ss@farm.example/a@b", "http://farm.example/a@b"),
        ("http://ada:p/w@farm.example/", "http://farm.example/"),
        (
            "two: http://a:b@c.example/, ftp://d:e@f/",
            "two: http://c.example/, ftp://f/",
        ),
        ("smtp://ada:pw@mail.example", "smtp://mail.example"),
        ("https://farm.example/@ada", "https://farm.example/@ada"),
        ("http://127.0.0.1:8000/@ada", "http://127.0.0.1:8000/@ada"),
        ("http://[::1]:8000/@ada", "http://[::1]:8000/@ada"),
        ("mailto:ada@farm.example", "mailto:ada@farm.example"),
        ("postgresql://ada:***@db/x", "postgresql://ada:***@db/x"),
    ],
)
def test_logins_are_taken_out_of_addresses_and_texts(text: str, shown: str) -> None:
    assert without_logins(text) == shown


def test_the_page_is_asked_for_with_the_login_and_known_without(
    closed: Loopback,
) -> None:
    url = closed.url("/mowing")
    page = fetch(with_login(url), NO_ROBOTS)
    assert page.url == url
    assert UrlSource(with_login(url)).name == url
    with pytest.raises(FetchError, match="needs a login"):
        fetch(url, NO_ROBOTS)


def test_a_redirect_takes_the_login_to_no_other_site(closed: Loopback) -> None:
    with Loopback() as other:
        closed.add("/away", b"", status=302, Location=other.url("/mowing"))
        closed.add("/on", b"", status=302, Location="/mowing")
        assert fetch(with_login(closed.url("/on")), NO_ROBOTS).data == ARTICLE.encode()
        assert fetch(with_login(closed.url("/away")), NO_ROBOTS).url == other.url(
            "/mowing"
        )
        for _, headers in other.asked:
            assert "authorization" not in headers
            assert PASSWORD not in str(headers)


def test_links_of_a_page_do_not_repeat_the_login() -> None:
    url = with_login("https://farm.example/list")
    items = "".join(f"<li><a href=/{n}>Barley no. {n}</a> is mown" for n in range(9))
    assert PASSWORD not in json.dumps(extract(ARTICLE, url).to_dict())
    assert "https://farm.example/sky" in extract(ARTICLE, url).markdown
    links = [record.link for record in records(f"<ul>{items}</ul>", url)]
    assert links[0] == "https://farm.example/0"


@pytest.mark.parametrize(
    "command",
    [
        ["extract", "-f", "json"],
        ["extract", "-f", "html"],
        ["extract", "--render", "-f", "json"],
        ["page"],
        ["records", "-f", "json"],
        ["--log", "json", "extract"],
    ],
)
@pytest.mark.parametrize("path", ["/mowing", "/gone"])
def test_no_command_prints_it(closed: Loopback, command: list[str], path: str) -> None:
    done = run_here([*command, with_login(closed.url(path))])
    assert PASSWORD not in done.stdout + done.stderr
    assert (path == "/gone") == ("404" in done.stderr)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://ada:{}@farm.example/",
        "http://ada:{}@127.0.0.1:1/",
        "http://ada:{}@:99999/",
        "http://ada:{}/x@127.0.0.1/",
        "http://ada:{}@127.0.0.1:8902:80/",
    ],
)
def test_no_message_about_an_address_that_cannot_be_asked_has_it(url: str) -> None:
    done = run_here(["extract", url.format(PASSWORD)])
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert PASSWORD not in done.stderr


def test_lists_of_addresses_may_have_it_and_rows_do_not(
    closed: Loopback, tmp_path: Path
) -> None:
    paths = ("/mowing", "/gone")
    addresses = [with_login(closed.url(path)) for path in paths]
    (tmp_path / "addresses.txt").write_text("\n".join(addresses))
    out = tmp_path / "out.jsonl"
    done = run_here(
        ["bulk", str(tmp_path / "addresses.txt"), "-o", str(out), "--delay", "0"]
    )
    written = out.read_text()
    assert PASSWORD not in done.stdout + done.stderr + written
    rows = [json.loads(line) for line in written.splitlines()]
    assert [row["url"] for row in rows] == [closed.url(path) for path in paths]
    assert rows[0]["status"] == "ok"


def test_rows_of_a_crawl_do_not_repeat_it(tmp_path: Path) -> None:
    url = with_login("https://farm.example/a")
    warc, lines = tmp_path / "a.warc", tmp_path / "a.jsonl"
    warc.write_bytes(page_record(url, ARTICLE))
    lines.write_text(json.dumps({"url": url, "html": ARTICLE}))
    out = tmp_path / "out.jsonl"
    assert run_here(["bulk", str(warc), str(lines), "-o", str(out)]).returncode == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["url"] for row in rows] == ["https://farm.example/a"] * 2
    assert PASSWORD not in out.read_text()


def test_what_is_stored_takes_no_login(tmp_path: Path) -> None:
    database = str(tmp_path / "scythe.db")
    url = "https://farm.example/"
    with pytest.raises(UsageError, match="does not store"):
        Collection.add(with_login(url), db=database)
    with pytest.raises(UsageError, match="does not store"):
        Engine.discover(with_login(url))
    with Collection.add(url, "oats", db=database) as collection:
        with pytest.raises(UsageError, match="does not store"):
            collection.change(url=with_login(url))
        with pytest.raises(UsageError, match="does not store"):
            collection.add_start_page(with_login(url))
    assert PASSWORD.encode() not in (tmp_path / "scythe.db").read_bytes()


def test_the_web_app_takes_and_shows_none(closed: Loopback, tmp_path: Path) -> None:
    url = with_login(closed.url("/mowing"))
    with Store.open(str(tmp_path / "web.db")) as store, Visitor(store) as visitor:
        for path in ("/api/engines", "/api/collections"):
            answer = visitor.api("POST", path, {"url": url})
            assert answer.status_code == 400
            assert PASSWORD not in answer.text
        answer = visitor.api("POST", "/api/extract", {"url": url})
        assert answer.json()["url"] == closed.url("/mowing")
        assert PASSWORD not in answer.text
        page = visitor.send("/extract", url=url)
        assert "On mowing" in page.text
        for path in (str(page.url), "/engines", "/collections", "/api/jobs"):
            assert PASSWORD not in visitor.get(path).text


def test_no_help_page_shows_the_token_of_the_web_app() -> None:
    shown = run_here(["serve", "--help"], {"SCYTHE_SERVE_TOKEN": PASSWORD}).stdout
    assert "--token" in shown
    assert PASSWORD not in shown


def test_no_message_about_settings_shows_their_values(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[environment]\nPGPASSWORD = "{PASSWORD}"\n')
    done = run_here(["doctor"], {"SCYTHE_CONFIG": str(config)})
    assert "PGPASSWORD" in done.stderr
    assert PASSWORD not in done.stderr


def test_no_help_page_shows_the_password_of_the_database() -> None:
    for address in (
        f"postgresql://ada:{PASSWORD}@db/x",
        f"postgresql://db/x?user=ada&password={PASSWORD}",
    ):
        for command in (["collect", "add"], ["engine", "list"], ["search"], ["mcp"]):
            shown = run_here([*command, "--help"], {"SCYTHE_DB": address}).stdout
            assert "--db" in shown
            assert PASSWORD not in shown.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize(
    "command", [["extract", "--format"], ["collect", "add", "https://farm.example/"]]
)
def test_no_message_about_a_wrong_command_repeats_it(command: list[str]) -> None:
    done = run_here([*command, with_login("https://other.example/")])
    assert done.returncode == 2
    assert "other.example" in done.stderr
    assert PASSWORD not in done.stderr
