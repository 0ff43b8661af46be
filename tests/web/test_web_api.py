"""The API: every operation is described, answers have the shapes that the description
says, and wrong requests are explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route

from growing_site import GrowingSite, Served
from scythe.engines.registry.registry import Registry
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.records import NewRecord, Reason, RecordRows, RecordSource
from scythe.web.operations import operations
from small_engine import Item, SmallEngine
from visitor import Visitor, words_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(str(tmp_path / "web.db")) as store:
        yield store


@pytest.fixture
def visitor(store: Store) -> Iterator[Visitor]:
    with Visitor(store) as visitor:
        yield visitor


def described(visitor: Visitor) -> Any:
    return visitor.get("/api/openapi.json").json()


class Checked:
    """Asks the API, and sees to it that every answer has the shape that the description
    says.
    """

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        whole = described(visitor)
        self._paths: Mapping[str, Any] = whole["paths"]
        self._components: Mapping[str, Any] = whole["components"]
        self.asked: set[tuple[str, str]] = set()

    def __call__(
        self,
        method: str,
        template: str,
        values: Any = None,
        query: str = "",
        **parts: str,
    ) -> Any:
        operation = self._paths[template][method.lower()]
        answer = self._visitor.api(method, template.format(**parts) + query, values)
        (status,) = [int(code) for code in operation["responses"] if code != "default"]
        assert answer.status_code == status, answer.text
        content = operation["responses"][str(status)]["content"]
        schema = content["application/json"]["schema"]
        whole = {**schema, "components": self._components}
        Draft202012Validator(whole).validate(answer.json())
        self.asked.add((method, template))
        return answer.json()


def test_every_operation_of_the_app_is_described(visitor: Visitor) -> None:
    paths = described(visitor)["paths"]
    there = {
        (method, route.path.replace(":path", "").replace(":int", ""))
        for route in visitor.app.routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert there == {
        (method.upper(), path) for path, methods in paths.items() for method in methods
    }
    assert there


def test_the_description_is_sound(visitor: Visitor) -> None:
    whole = described(visitor)
    assert whole["openapi"] == "3.1.0"
    names = [
        operation["operationId"]
        for methods in whole["paths"].values()
        for operation in methods.values()
    ]
    assert len(names) == len(set(names))
    for path, methods in whole["paths"].items():
        for operation in methods.values():
            assert operation["summary"]
            inside = {
                part["name"] for part in operation["parameters"] if part["in"] == "path"
            }
            assert inside == {
                part[1:-1] for part in path.split("/") if part.startswith("{")
            }
            answers = [
                content
                for answer in operation["responses"].values()
                for content in answer["content"].values()
            ]
            bodies = list(operation.get("requestBody", {}).get("content", {}).values())
            for content in (*answers, *bodies):
                Draft202012Validator.check_schema(content.get("schema", {}))


def test_people_can_read_it(visitor: Visitor) -> None:
    page = visitor.get("/api")
    assert page.status_code == 200
    for route in operations():
        assert route.plain_path in words_of(page.text)


COLLECTION, WORDS = "/api/collections/{name}", "/api/collections/{name}/annotations"


def of_collections(visitor: Visitor, store: Store) -> set[tuple[str, str]]:
    """Ask all that can be asked about a collection; what was."""
    ask, site = Checked(visitor), GrowingSite()
    site.grow(1, 8)
    with Served(site) as served:
        ask(
            "POST",
            "/api/collections",
            {"url": f"{served.url}/", "name": "kitchen", "kind": "recipe", "run": True},
        )
        visitor.wait("/api/collections/kitchen/progress")
        ask("POST", f"{COLLECTION}/run", {"everything": True}, name="kitchen")
        ask("POST", f"{COLLECTION}/stop", name="kitchen")
    number = CollectionRows(store).get("kitchen").id
    doubt = Reason("title", "odd", "x", "The title is odd.")
    RecordRows(store, number).store(
        [
            NewRecord(
                "odd",
                f"{served.url}/odd",
                {"title": "x"},
                RecordSource(None, "b", 1, 1),
                (doubt,),
            )
        ]
    )
    ask("GET", "/api/collections")
    ask("GET", COLLECTION, name="kitchen")
    ask("GET", f"{COLLECTION}/progress", name="kitchen")
    ask("GET", f"{COLLECTION}/runs", name="kitchen")
    assert (
        ask(
            "GET",
            f"{COLLECTION}/links",
            query="?decision=record&size=3",
            name="kitchen",
        )["total"]
        == 8
    )
    waiting = ask("GET", f"{COLLECTION}/review", name="kitchen")["records"]
    odd = next(record for record in waiting if record["key"] == "odd")
    accepted = ask(
        "POST",
        f"{COLLECTION}/review/accept",
        {"key": "odd", "seen": odd["seen"]},
        name="kitchen",
    )
    assert accepted["state"] == "ok"
    of_words(ask)
    found = ask("GET", f"{COLLECTION}/records", name="kitchen")
    ask(
        "GET",
        f"{COLLECTION}/records/{{id}}",
        name="kitchen",
        id=str(found["records"][0]["id"]),
    )
    ask("GET", "/api/jobs")
    assert ask("DELETE", COLLECTION, name="kitchen") == {"removed": "kitchen"}
    assert ask("GET", "/api/collections") == []
    return ask.asked


def of_words(ask: Checked) -> None:
    """Say what attributes are, take it back, and say it again."""
    slot = next(
        each["slot"]
        for each in ask("GET", WORDS, name="kitchen")["slots"]
        if each["suggestion"]
    )
    naming = {"what": "name", "slots": [slot], "name": "title"}
    ask("POST", f"{WORDS}/preview", naming, name="kitchen")
    said = ask("POST", WORDS, naming, name="kitchen")
    assert said["names"]
    undone = ask("POST", f"{WORDS}/undo", {"version": said["version"]}, name="kitchen")
    assert not undone["names"]
    ask("POST", f"{WORDS}/redo", {"version": undone["version"]}, name="kitchen")
    ask("GET", f"{WORDS}/history", name="kitchen")


def of_engines(visitor: Visitor, store: Store) -> set[tuple[str, str]]:
    """Ask all that can be asked about engines; what was."""
    ask, at = Checked(visitor), "/api/engines/{name}"
    with SmallEngine([Item(number) for number in range(120)]) as site:
        job = ask("POST", "/api/engines", {"url": f"{site.home}begin", "name": "new"})
        ask("GET", "/api/engines/adding/{number}", number=job["job"].rpartition("/")[2])
        Registry(store).add(site.known("a/b"))
        ask("GET", "/api/engines")
        ask("GET", at, name="a/b")
        ask("PUT", f"{at}/weight", {"weight": 2}, name="a/b")
        ask("POST", f"{at}/check", name="a/b")
        visitor.wait("/api/engines/a/b/progress")
        assert ask("GET", f"{at}/progress", name="a/b")["result"]["fits"]
        assert ask("GET", "/api/search", query="?q=barley&deadline=8&engine=a/b")[
            "hits"
        ]
        ask("POST", f"{at}/relearn", name="a/b")
        ask("DELETE", at, name="a/b")
        assert visitor.api("GET", "/api/engines/a/b").status_code == 404
    return ask.asked


def of_pages(visitor: Visitor) -> set[tuple[str, str]]:
    """Ask all that can be asked about pages; what was."""
    ask = Checked(visitor)
    page = "<title>On mowing</title><article><h1>On mowing</h1><p>The first cut is made at dawn, while it is wet.</p></article>"
    assert (
        "at dawn"
        in ask("POST", "/api/extract", {"html": page, "method": "econ"})["text"]
    )
    assert ask("POST", "/api/extract/records", {"html": page})["status"] == "empty"
    ask("GET", "/api/openapi.json")
    return ask.asked


def test_every_answer_is_as_described(visitor: Visitor, store: Store) -> None:
    asked = (
        of_collections(visitor, store) | of_engines(visitor, store) | of_pages(visitor)
    )
    assert asked == {
        (route.method, route.plain_path) for route in operations() if route.is_json
    }


@pytest.mark.parametrize(
    ("method", "path", "values", "told"),
    [
        (
            "POST",
            "/api/extract",
            {"html": 3},
            "Expected `str`, got `int` - at `$.html`",
        ),
        ("POST", "/api/extract", {"page": "x"}, "unknown field `page`"),
        (
            "POST",
            "/api/extract",
            {"html": "x", "method": "magic"},
            "Invalid enum value 'magic'",
        ),
        ("POST", "/api/extract", ["x"], "Expected `object`"),
        ("POST", "/api/collections", {}, "missing required field `url`"),
        (
            "POST",
            "/api/collections",
            {"url": "https://a.example/", "delay": -1},
            ">= 0",
        ),
        (
            "POST",
            "/api/collections",
            {"url": "https://a.example/", "max_pages": True},
            "got `bool`",
        ),
        ("GET", "/api/collections/oats/links?page=0", None, ">= 1"),
        (
            "GET",
            "/api/collections/oats/links?size=many",
            None,
            "Expected `int`, got `str`",
        ),
        (
            "GET",
            "/api/collections/oats/links?decision=perhaps",
            None,
            "Invalid enum value 'perhaps'",
        ),
    ],
)
def test_wrong_requests_are_explained(
    visitor: Visitor, method: str, path: str, values: Any, told: str
) -> None:
    answer = visitor.api(method, path, values)
    assert answer.status_code == 400
    assert told in answer.json()["message"]


def test_what_is_not_there_is_404_and_json(visitor: Visitor) -> None:
    for path in (
        "/api/collections/none",
        "/api/engines/none",
        "/api/engines/adding/none",
        "/api/nothing",
        "/api/collections/none/links",
    ):
        answer = visitor.api("GET", path)
        assert answer.status_code == 404
        assert set(answer.json()) == {"error", "message"}
    assert visitor.api("DELETE", "/api/collections/none").status_code == 404
    assert visitor.api("PATCH", "/api/collections").status_code == 405


def test_what_is_not_json_is_refused(visitor: Visitor) -> None:
    assert visitor.send("/api/extract", html="<p>x</p>").status_code == 400
    for content, message in (("[" * 100_000, "Expected `object`"), ("{1", "not JSON")):
        answer = visitor._client.post(
            "/api/extract",
            content=content,
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 400
        assert message in answer.json()["message"]
