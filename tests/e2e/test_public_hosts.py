"""Public sites without `--allow-private`: collections, engines, extraction and the web
app, while private machines that these lead to are refused.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from growing_site import GrowingSite, Served
from library_site import Library
from loopback import HTML, Loopback, Reply, Visit
from pretend_public import PublicScythe, public_environment, public_url
from scythe.collect.collection import Collection
from web_visit import AppServer


@pytest.fixture
def scythe(tmp_path: Path) -> PublicScythe:
    return PublicScythe(tmp_path / "scythe.db")


@pytest.fixture
def site() -> Iterator[Served]:
    growing = GrowingSite()
    growing.grow(1, 6)
    with Served(growing) as served:
        yield served


def lead_inside(site: Served) -> None:
    """Let three recipes lead to private machines: by number, by name, and to this
    machine.
    """
    targets = [
        "http://10.0.0.1/secret",
        "http://inside.example/secret",
        f"{site.url}/inside",
    ]
    paths = [site.site.path(slug) for slug in site.site.recipes][:3]
    for path, target in zip(paths, targets, strict=True):
        site.site.extra[path] = (302, {"Location": target}, b"")


def test_a_public_site_is_collected(site: Served, scythe: PublicScythe) -> None:
    home = public_url(f"{site.url}/")
    scythe.run(
        "collect",
        "add",
        home,
        "--name",
        "kitchen",
        "--kind",
        "recipe",
        "--delay",
        "0.01",
    )
    assert "pages: 8 ok" in scythe.run("collect", "run", "kitchen")
    scythe.run("collect", "accept", "kitchen")
    with Collection.open("kitchen", db=str(scythe.database)) as collection:
        assert collection.counts() == {"ok": 6}
        assert all(record.url.startswith(home) for record in collection.records("ok"))


def test_a_public_site_stays_outside(site: Served, scythe: PublicScythe) -> None:
    lead_inside(site)
    home = public_url(f"{site.url}/")
    scythe.run(
        "collect",
        "add",
        home,
        "--name",
        "kitchen",
        "--kind",
        "recipe",
        "--delay",
        "0.01",
    )
    told = scythe.run("collect", "run", "kitchen")
    assert "is a private machine" in told
    assert "3 private" in told
    with Collection.open("kitchen", db=str(scythe.database)) as collection:
        assert collection.counts() == {"draft": 3}
    assert "/inside" not in [path for path, _ in site.site.asked]


def test_a_public_site_is_collected_through_a_private_proxy(
    web: Loopback, tmp_path: Path
) -> None:
    growing = GrowingSite()
    growing.grow(1, 6)
    web.site = lambda visit: growing.reply(urlsplit(visit.path).path, None)
    scythe = PublicScythe(tmp_path / "scythe.db", {"http_proxy": web.url("")})
    scythe.run(
        "collect",
        "add",
        "http://kitchen.example/",
        "--name",
        "kitchen",
        "--delay",
        "0.01",
    )
    assert "pages: 8 ok" in scythe.run("collect", "run", "kitchen")
    assert all(path.startswith("http://kitchen.example/") for path, _ in web.asked)


def test_a_public_engine_is_learned_and_searched(
    web: Loopback, scythe: PublicScythe
) -> None:
    web.site = Library()
    home = public_url(web.url("/"), "library.example")
    assert "added" in scythe.run(
        "engine", "add", home, "--name", "library", "--no-render"
    )
    found = json.loads(
        scythe.run("search", "garden", "--format", "json", "--limit", "0")
    )
    assert {hit["title"] for hit in found["hits"]} >= {
        "A brief garden",
        "A secret garden",
    }
    assert all(hit["url"].startswith(home) for hit in found["hits"])


@pytest.mark.parametrize(
    "target", ["http://10.0.0.1/", "http://inside.example/", "loopback"]
)
def test_a_public_engine_stays_outside(
    web: Loopback, scythe: PublicScythe, target: str
) -> None:
    location = web.url("/mowing") if target == "loopback" else target

    def reply(visit: Visit) -> Reply | None:
        return (302, {"Location": location}, b"") if visit.path == "/" else None

    web.site = reply
    done = scythe("engine", "add", public_url(web.url("/")), "--no-render")
    assert done.returncode == 1
    assert "--allow-private" in done.stderr
    assert "/mowing" not in [path for path, _ in web.asked]


def test_a_public_page_is_extracted(web: Loopback, scythe: PublicScythe) -> None:
    assert "made at dawn" in scythe.run("extract", public_url(web.url("/mowing")))


@pytest.mark.parametrize(
    "target", ["http://10.0.0.1/", "http://inside.example/", "loopback"]
)
def test_a_public_page_leads_to_no_private_machine(
    web: Loopback, scythe: PublicScythe, target: str
) -> None:
    location = web.url("/mowing") if target == "loopback" else target
    web.add("/moved", b"", HTML, 302, Location=location)
    done = scythe("extract", public_url(web.url("/moved")))
    assert done.returncode == 1
    assert "one of its network" in done.stderr
    assert "/mowing" not in [path for path, _ in web.asked]


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx2.Client]:
    """The API of a web app that allows no private machines."""
    for name, value in public_environment().items():
        monkeypatch.setenv(name, value)
    with (
        AppServer(f"sqlite:///{tmp_path / 'web.db'}") as server,
        httpx2.Client(base_url=server.url, timeout=60, trust_env=False) as client,
    ):
        yield client


def ended(app: httpx2.Client, path: str) -> Any:
    """Return the job at an address of the API when it has ended."""
    deadline = time.monotonic() + 120
    while (job := app.get(path).json())["state"] == "running":
        assert time.monotonic() < deadline, job
        time.sleep(0.1)
    return job


def test_the_web_app_takes_public_sites(
    app: httpx2.Client,
    web: Loopback,
    site: Served,
    tmp_path: Path,
) -> None:
    read = app.post("/api/extract", json={"url": public_url(web.url("/mowing"))})
    assert "made at dawn" in read.json()["text"]
    home = public_url(f"{site.url}/")
    asked = {"url": home, "name": "kitchen", "kind": "recipe", "delay": 0.01}
    assert app.post("/api/collections", json=asked).is_success
    assert app.post("/api/collections/kitchen/run", json={}).is_success
    job = ended(app, "/api/collections/kitchen/progress")
    assert job["state"] == "done", job
    recipes = {site.site.path(slug) for slug in site.site.recipes}
    assert recipes <= {path for path, status in site.site.asked if status == 200}
    with Collection.open(
        "kitchen", db=f"sqlite:///{tmp_path / 'web.db'}"
    ) as collection:
        assert collection.counts() == {"draft": 6}


def test_the_web_app_stays_outside(app: httpx2.Client, web: Loopback) -> None:
    for path, target in (
        ("/number", "http://10.0.0.1/"),
        ("/name", "http://inside.example/"),
        ("/here", web.url("/mowing")),
    ):
        web.add(path, b"", HTML, 302, Location=target)
        read = app.post("/api/extract", json={"url": public_url(web.url(path))})
        assert not read.is_success
        assert "--allow-private" in read.text
    assert "/mowing" not in [path for path, _ in web.asked]
    for url in (web.url("/"), "http://inside.example/"):
        assert app.post("/api/collections", json={"url": url}).status_code == 400
        assert app.post("/api/engines", json={"url": url}).status_code == 400
