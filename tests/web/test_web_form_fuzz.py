"""The pages and forms of the web app with fields and addresses that nobody would send:
none is a server error, none leads to another site.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from odd_texts import TEXTS
from read_pages import read_collection
from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.web.app import create_app
from scythe.web.server.settings import Settings

DRAWS = 4
"""Requests for each route and method."""
MAX_FIELDS = 6
USUAL = ["oats", "1", "2", "title", "record", "skip", "hide", "reset", "declared:title"]
LEFT_OUT = re.compile(r"/run$|/remove$|/engines/add|/static")
"""What starts processes, or removes what the others need."""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with Store.open(str(tmp_path / "web.db")) as store:
        read_collection(store)
        app = create_app(Collections(store), Settings(port=80))
        with TestClient(
            app,
            base_url="http://127.0.0.1",
            raise_server_exceptions=False,
            follow_redirects=False,
        ) as made:
            yield made


def field_names() -> list[str]:
    """Return the names of all fields of all forms."""
    names = {"f.title", "field.title", "show", "method", "page", "q", "sort", "what"}
    for template in files("scythe.web").joinpath("templates").iterdir():
        inner = template.iterdir() if template.is_dir() else [template]
        for file in inner:
            names.update(re.findall(r'name="([\w.]+)"', file.read_text("utf-8")))
    return sorted(names - {"csrf"})


def test_no_page_and_no_form_is_a_server_error(client: TestClient) -> None:
    found = re.search(r'name="csrf" value="(\w+)"', client.get("/extract").text)
    assert found
    names = field_names()
    faults = []
    for route in client.app.routes:  # type: ignore[attr-defined]
        if not isinstance(route, Route) or LEFT_OUT.search(route.path):
            continue
        if route.path.startswith("/api"):
            continue  # test_web_api_fuzz has these
        methods = set(route.methods or ()) - {"HEAD"}
        for method in sorted(methods):
            for number in range(DRAWS):
                draw = random.Random(f"{method} {route.path} {number}")
                path = drawn_path(route.path, draw)
                fields = drawn_fields(names, draw)
                if method == "GET":
                    answer = client.get(path, params=fields)
                else:
                    answer = client.post(path, data={"csrf": found[1], **fields})
                target = answer.headers.get("location", "/")
                is_ours = target.startswith(("/", "http://127.0.0.1/"))
                if answer.status_code >= 500 or not is_ours or target[:2] == "//":
                    faults.append(f"{method} {path} {fields}: {answer.status_code}")
    assert not faults, "\n".join(faults)


def drawn_path(template: str, draw: random.Random) -> str:
    """Return a path of a route: most often one of the collection."""

    def part(match: re.Match[str]) -> str:
        if match[1].startswith("name") and draw.random() < 0.8:
            return "oats"
        text = draw.choice([*USUAL, draw.choice(TEXTS)])
        if text in (".", "..", ""):  # a client makes another path of them
            text = "1"
        return quote(text.encode("utf-8", "replace").decode(), safe="")

    return re.sub(r"\{([\w:]+)\}", part, template)


def drawn_fields(names: list[str], draw: random.Random) -> dict[str, str]:
    """Return some fields, with usual values and others."""
    fields = {}
    for name in draw.sample(names, draw.randint(0, MAX_FIELDS)):
        text = draw.choice([draw.choice(USUAL), draw.choice(TEXTS)])
        fields[name] = text.encode("utf-8", "replace").decode()
    return fields
