"""The JSON API under requests that nobody would send, over a database that has
something: drawn from its own description, with values of wrong types, sizes and
letters. No answer is a server error, and each has a type that the description names.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from odd_texts import TEXTS
from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.records import NewRecord, RecordRows
from scythe.web.app import create_app
from scythe.web.server.settings import Settings

JSON = {"content-type": "application/json"}
DRAWS = 12
"""Requests for each operation."""
NUMBERS = [None, True, -1, 0, 3, 10**30, 0.5]
VALUES: list[object] = [*NUMBERS, [], {}, [[]], {"a": [1]}, *TEXTS]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path: Path = tmp_path_factory.mktemp("api") / "web.db"
    with Store.open(str(path)) as store:
        number = CollectionRows(store).add("oats", "https://oats.example/", "Recipe")
        rows = [
            NewRecord(
                f"https://oats.example/{n}",
                f"https://oats.example/{n}",
                {"title": f"Oats {n}", "ingredients": ["1 cup oats"], "cook_time": n},
            )
            for n in range(20)
        ]
        RecordRows(store, number).store(rows)
        app = create_app(Collections(store), Settings(port=80))
        with TestClient(
            app, base_url="http://127.0.0.1", raise_server_exceptions=False
        ) as made:
            yield made


def operations(client: TestClient) -> list[tuple[str, str, Mapping[str, Any]]]:
    described = client.get("/api/openapi.json").json()
    found = []
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            found.append((method.upper(), path, operation))
    return found


class Draw:
    """Requests for an operation, the same ones in every run."""

    def __init__(self, seed: str, components: Mapping[str, Any]) -> None:
        self._random = random.Random(seed)
        self._components = components

    def text(self) -> str:
        return self._random.choice(TEXTS)

    def path(self, template: str) -> str:
        parts = []
        for part in template.split("/"):
            drawn = self._random.choice(["oats", "1", self.text()])
            text = drawn.encode("utf-8", "replace").decode()
            if text in (".", ".."):  # a client makes another path of them
                text = "oats"
            parts.append(quote(text, safe="") if part.startswith("{") else part)
        return "/".join(parts)

    def query(self, operation: Mapping[str, Any]) -> dict[str, str]:
        asked = {}
        for parameter in operation["parameters"]:
            if parameter["in"] == "query" and self._random.random() < 0.5:
                text = self.text().encode("utf-8", "replace").decode()
                asked[parameter["name"]] = text
        if self._random.random() < 0.3:
            asked["f.title"] = self.text().encode("utf-8", "replace").decode()
        return asked

    def value(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """Return a value that fits a schema, or one that does not."""
        if self._random.random() < 0.2 or depth > 4:
            return self._random.choice(VALUES)
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return self.value(self._components[name], depth + 1)
        if "anyOf" in schema:
            return self.value(self._random.choice(schema["anyOf"]), depth + 1)
        if "enum" in schema:
            return self._random.choice(schema["enum"])
        kind = schema.get("type")
        if kind == "object":
            drawn = {}
            for name, inner in schema.get("properties", {}).items():
                if name in schema.get("required", ()) or self._random.random() < 0.5:
                    drawn[name] = self.value(inner, depth + 1)
            return drawn
        if kind == "array":
            inner = schema.get("items") or {}
            return [
                self.value(inner, depth + 1)
                for _ in range(self._random.choice([0, 1, 3]))
            ]
        if kind == "integer":
            return self._random.choice([0, 1, 7, -1, 10**12])
        if kind == "boolean":
            return self._random.random() < 0.5
        if kind == "number":
            return self._random.choice([0.5, 1, -3, 1e300])
        return self.text()


def test_no_request_is_a_server_error(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    components = described["components"]["schemas"]
    faults = []
    for method, template, operation in operations(client):
        if (method, template) == ("DELETE", "/api/collections/{name}"):
            continue  # the others need it
        for number in range(DRAWS):
            draw = Draw(f"{method} {template} {number}", components)
            path, query = draw.path(template), draw.query(operation)
            body = operation.get("requestBody", {}).get("content", {})
            schema = body.get("application/json", {}).get("schema")
            values = None if schema is None else draw.value(schema)
            content = None if schema is None else json.dumps(values)
            answer = client.request(
                method, path, params=query, content=content, headers=JSON
            )
            where = f"{method} {path} {query} {values!r:.300}: {answer.text[:300]}"
            if answer.status_code >= 500:
                faults.append(where)
                continue
            media_type = answer.headers["content-type"].partition(";")[0]
            is_success = answer.status_code < 300
            status = str(answer.status_code) if is_success else "default"
            responses = operation["responses"]
            known = responses.get(status, responses["default"])["content"]
            if media_type not in known and answer.status_code not in (404, 405):
                faults.append(where)
    assert not faults, "\n".join(faults)
