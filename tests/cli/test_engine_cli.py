"""`scythe engine` and `scythe search` as a user types them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from loopback import Loopback
from scythe.cli.catalogue import load_command
from scythe.cli.main import app
from scythe.engines.registry.registry import Registry
from scythe.store import Store
from small_engine import Item, SmallEngine, dead_engine, new_look

pytestmark = pytest.mark.slow

Run = Callable[..., Result]


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "scythe.db"


@pytest.fixture
def run(database: Path) -> Run:
    def call(*arguments: object) -> Result:
        return CliRunner().invoke(app, [*map(str, arguments), "--db", str(database)])

    return call


@pytest.fixture
def site() -> Iterator[SmallEngine]:
    with SmallEngine([Item(number) for number in range(200)]) as engine:
        yield engine


@pytest.fixture
def other() -> Iterator[SmallEngine]:
    with SmallEngine([Item(number) for number in range(40, 300)]) as engine:
        yield engine


@pytest.fixture
def stored(database: Path, site: SmallEngine, other: SmallEngine) -> None:
    """Two engines that overlap."""
    with Store.open(str(database)) as store:
        Registry(store).add(site.known("hay"))
        Registry(store).add(other.known("oats"))


def test_from_an_address_to_a_search(run: Run, site: SmallEngine) -> None:
    added = run("engine", "add", site.home, "--name", "hay", "--no-render")
    assert (added.exit_code, added.stderr) == (0, "")
    assert added.stdout.startswith(
        f"added hay: GET {site.home}search q={{query}}&page=0; "
    )
    found = run("search", "kestrel", "-f", "json")
    hits = json.loads(found.stdout)["hits"]
    assert [hit["url"] for hit in hits] == [
        item.url for item in site.found("kestrel")[:10]
    ]
    assert found.stderr == ""


@pytest.mark.usefixtures("stored")
def test_hits_of_several_engines_are_merged(
    run: Run, site: SmallEngine, other: SmallEngine
) -> None:
    result = run("search", "meadow", "bellows", "--limit", "0")
    expected = {
        item.url
        for item in (
            *site.found("meadow bellows")[:10],
            *other.found("meadow bellows")[:10],
        )
    }
    lines = result.stdout.splitlines()[2:]
    assert (result.exit_code, len(lines)) == (0, len(expected))
    assert all(any(url in line for line in lines) for url in expected)
    assert any("hay #" in line and "oats #" in line for line in lines)
    assert "oats #" not in run("search", "meadow bellows", "-e", "hay").stdout


@pytest.mark.usefixtures("stored")
def test_text_is_for_reading(run: Run, site: SmallEngine, tmp_path: Path) -> None:
    first = site.found("kestrel")[0]
    text = run("search", "kestrel", "-f", "text", "-n", 1, "-e", "hay").stdout
    assert text == f"1. {first.title}\n   {first.url}\n   {first.snippet}\n   hay #1\n"
    run("search", "kestrel", "-n", 2, "-o", tmp_path / "hits.json")
    assert len(json.loads((tmp_path / "hits.json").read_text())["hits"]) == 2


@pytest.mark.usefixtures("stored")
def test_engines_that_do_not_answer_are_named(
    run: Run, database: Path, site: SmallEngine
) -> None:
    with Store.open(str(database)) as store:
        Registry(store).add(dead_engine("dead"))
    some = run("search", "kestrel")
    assert some.exit_code == 0
    assert some.stderr.startswith("warning: dead: unreachable: ")
    none = run("search", "kestrel", "-e", "dead")
    assert (none.exit_code, none.stdout) == (1, "")
    nothing = run("search", "nowhere")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert nothing.stderr.endswith("nothing was found.\n")


@pytest.mark.usefixtures("stored")
def test_a_changed_engine_is_learned_again_by_the_next_search(
    run: Run, site: SmallEngine
) -> None:
    site.behaviour.look = new_look
    noticed = run("search", "kestrel", "-e", "hay")
    assert "warning: hay: drifted: " in noticed.stderr
    assert "hay: relearned: version 2: records: ol#results > li" in noticed.stderr
    again = run("search", "heron", "-e", "hay", "-f", "json")
    assert [hit["url"] for hit in json.loads(again.stdout)["hits"]] == [
        item.url for item in site.found("heron")[:10]
    ]
    shown = run("engine", "show", "hay").stdout
    assert "  2  20" in shown
    assert (
        "The page has a list that the wrapper does not know; records: ol#results > li"
        in shown
    )
    assert "  1  20" in shown
    values = json.loads(run("engine", "show", "hay", "-f", "json").stdout)
    assert [version["version"] for version in values["versions"]] == [1, 2]
    assert values["health"]["state"] == "good"


@pytest.mark.usefixtures("stored")
def test_relearning_can_be_left_to_another_time(run: Run, site: SmallEngine) -> None:
    assert "No engine seems to have changed" in run("engine", "relearn").stderr
    site.behaviour.look = new_look
    assert "relearned" not in run("search", "kestrel", "--no-relearn").stderr
    assert "hay: relearned: version 2" in run("engine", "relearn").stderr
    by_name = run("engine", "relearn", "hay")
    assert (by_name.exit_code, by_name.stderr) == (
        0,
        "hay: fits: Learned again, it is the same as before.\n",
    )


@pytest.mark.usefixtures("stored")
def test_the_list_and_the_check(run: Run, site: SmallEngine) -> None:
    lines = run("engine", "list").stdout.splitlines()
    assert [line.split()[:2] for line in lines[2:]] == [["hay", "new"], ["oats", "new"]]
    site.behaviour.status = 500
    checked = run("engine", "check")
    assert (
        checked.exit_code,
        [line.split()[:3] for line in checked.stdout.splitlines()[2:]],
    ) == (
        1,
        [["hay", "no", "unreachable"], ["oats", "yes", "ok"]],
    )
    assert "warning: hay: " in checked.stderr
    values = json.loads(run("engine", "list", "-f", "json").stdout)
    assert [(one["name"], one["health"]["state"]) for one in values] == [
        ("hay", "down"),
        ("oats", "good"),
    ]
    assert run("engine", "check", "oats").exit_code == 0


@pytest.mark.usefixtures("stored")
def test_a_harvest_is_written_in_every_format(
    run: Run, site: SmallEngine, tmp_path: Path
) -> None:
    done = run("engine", "harvest", "hay", "--queries", 2, "--pages", 1)
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("hay: ")
    out = tmp_path / "rows.csv"
    again = run("engine", "harvest", "hay", "--queries", 2, "--pages", 1, "-o", out)
    count = int(again.stderr.split()[1])
    assert out.read_text().splitlines()[0] == "title,snippet,date,price,link,text"
    lines = run(
        "engine", "harvest", "hay", "--queries", 0, "-f", "jsonl"
    ).stdout.splitlines()
    assert len({json.loads(line)["link"] for line in lines}) == len(lines) == count
    whole = json.loads(
        run("engine", "harvest", "hay", "--queries", 0, "-f", "json").stdout
    )
    assert (whole["queries"][0]["query"], len(whole["records"])) == ("barley", count)
    assert "harvest:  " in run("engine", "show", "hay").stdout
    assert run("engine", "harvest", "hay", "--queries", 0, "--anew").stderr.startswith(
        "hay: 0 records"
    )


@pytest.mark.usefixtures("stored")
def test_exports(run: Run, site: SmallEngine, tmp_path: Path) -> None:
    entries = run("engine", "export", "--to", "searxng").stdout
    assert entries.count("  - name: ") == 2
    assert f'search_url: "{site.home}search?q={{query}}&page={{pageno}}"' in entries
    run("engine", "export", "hay", "--to", "scrapy", "-o", tmp_path / "spider.py")
    assert "class RecordsSpider" in (tmp_path / "spider.py").read_text()
    several = run("engine", "export", "--to", "scrapy")
    assert (several.exit_code, "one engine" in several.stderr) == (2, True)


@pytest.mark.usefixtures("stored")
def test_removing_and_weighing(run: Run) -> None:
    assert run("engine", "weight", "oats", 2.5).exit_code == 0
    assert run("engine", "list").stdout.splitlines()[3].split()[4] == "2.5"
    missing = run("engine", "remove", "hay", "rye")
    assert (missing.exit_code, missing.stderr) == (
        1,
        "error: There is no engine rye. There are: hay, oats.\n",
    )
    assert run("engine", "remove", "hay").stderr == "removed hay.\n"
    assert "hay" not in run("engine", "list").stdout


def test_nothing_is_stored_where_an_engine_cannot_be_learned(
    run: Run, web: Loopback, site: SmallEngine, database: Path
) -> None:
    web.add("/robots.txt", b"User-agent: *\nDisallow: /private", "text/plain")
    login = b"<form action=/in method=post><input name=user><input type=password name=word><button>Log in</button></form>"
    web.add("/login", b"<title>Log in</title>" + login)
    for address, said in [
        (web.url("/mowing"), "form"),
        (web.url("/login"), "login"),
        (web.url("/private/search"), "robots.txt"),
        ("http://127.0.0.1:1/", "Check the address"),
        ("http://nowhere.invalid/", "host name"),
        ("not an address", "address"),
    ]:
        failed = run("engine", "add", address, "--no-render")
        assert failed.exit_code in (1, 2), address
        assert said in failed.stderr, address
        assert failed.stderr.startswith("error: ")
        assert failed.stderr.count("\n") == 1
        assert failed.stdout == ""
    assert json.loads(run("engine", "list", "-f", "json").stdout) == []


@pytest.mark.usefixtures("stored")
def test_what_is_there_already_is_not_asked_again(run: Run, site: SmallEngine) -> None:
    known = run("engine", "add", site.home)
    assert (known.exit_code, "scythe engine relearn hay" in known.stderr) == (1, True)
    assert run("engine", "add", site.home, "--name", "hay").exit_code == 1
    assert site.asked == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["search", "hay"], "scythe engine add"),
        (["search", " "], "nothing to search for"),
        (["search", "hay", "--deadline", "0"], "deadline"),
        (["engine", "add", "http://127.0.0.1:1/", "--weight", "-1"], "weight"),
        (["engine", "harvest", "hay", "--queries", "-1"], "queries"),
    ],
)
def test_wrong_commands_are_told_what_to_do(
    run: Run, database: Path, arguments: list[str], said: str
) -> None:
    if arguments[1] == " ":
        with Store.open(str(database)) as store:
            Registry(store).add(dead_engine("hay"))
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_without_engines_the_list_says_how_to_begin(run: Run) -> None:
    result = run("engine", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "scythe engine add URL" in result.stderr


def test_a_database_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("Dear Sir or Madam, " * 50)
    result = CliRunner().invoke(
        app, ["engine", "list", "--db", str(tmp_path / "letter.db")]
    )
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no SQLite database" in result.stderr


def test_the_guide_names_every_command_and_option() -> None:
    guide = (
        Path(__file__).parent.parent.parent / "docs" / "guides" / "engines.md"
    ).read_text(encoding="utf-8")
    commands = {**load_command("engine").commands, "search": load_command("search")}
    for name, command in commands.items():
        assert f"scythe {'' if name == 'search' else 'engine '}{name}" in guide
        for parameter in command.params:
            named = [
                option in guide
                for option in (*parameter.opts, *parameter.secondary_opts)
            ]
            assert parameter.param_type_name == "argument" or any(named), parameter.name
