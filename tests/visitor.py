"""Somebody in front of the web app: reads pages, sends forms as pages have them, and
asks the API as programs do.
"""

from __future__ import annotations

import re
import time
from types import TracebackType
from typing import Any

from starlette.testclient import TestClient

from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.web.app import create_app
from scythe.web.server.settings import Settings


class Visitor:
    """A browser without scripts, and a program."""

    def __init__(self, store: Store, *, allow_private: bool = True) -> None:
        self.app = create_app(
            Collections(store), Settings(port=80, allow_private=allow_private)
        )
        self._client = TestClient(
            self.app, base_url="http://127.0.0.1", raise_server_exceptions=True
        )

    def __enter__(self) -> Visitor:
        self._client.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.__exit__(kind, error, trace)

    def get(self, path: str, **headers: str) -> Any:
        """A page."""
        return self._client.get(path, headers=headers)

    def piece(self, path: str) -> Any:
        """A piece of a page, as htmx asks for it."""
        return self.get(path, **{"HX-Request": "true"})

    def send(self, path: str, **fields: str | list[str]) -> Any:
        """A form, with the token that pages have."""
        found = re.search(r'name="csrf" value="(\w+)"', self.get("/extract").text)
        assert found
        return self._client.post(path, data={"csrf": found[1], **fields})

    def api(self, method: str, path: str, values: Any = None) -> Any:
        """What the API answers."""
        return self._client.request(
            method, path, json=values, headers={"Content-Type": "application/json"}
        )

    def wait(self, path: str) -> Any:
        """The job at an address of the API, when it has ended."""
        deadline = time.monotonic() + 120
        while (job := self.api("GET", path).json())["state"] == "running":
            assert time.monotonic() < deadline, job
            time.sleep(0.1)
        return job


def words_of(page: str) -> str:
    """The words of a page, one space between any two."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())
