"""A server that cuts its answers for a while: pages fail and are tried again, records stay."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from growing_site import GrowingSite, Served, _Handler
from scythe.collect.collection import Collection


@dataclass
class CuttingSite(GrowingSite):
    """A site that cuts answers at three quarters."""

    cut: str = ""
    """How cut answers come: with a `length`, in `chunks`, or `packed` and without either."""
    times: int = 1_000
    """How many answers of each page are cut."""

    def cuts(self, path: str, status: int) -> bool:
        """Return whether an answer is cut."""
        asked = Counter(asked for asked, _ in self.asked)
        return bool(self.cut) and status == 200 and asked[path] <= self.times


class _CuttingHandler(_Handler):
    site: CuttingSite

    def do_GET(self) -> None:  # noqa: N802 - the base class's name
        status, headers, body = self.site.reply(self.path, None)
        if not self.site.cuts(self.path, status):
            return super().do_GET()
        self.site.asked.append((self.path, status))
        announced = {"length": {"Content-Length": str(len(body))}}
        announced["chunks"] = {"Transfer-Encoding": "chunked"}
        announced["packed"] = {"Content-Encoding": "gzip"}
        sent = gzip.compress(body) if self.site.cut == "packed" else body
        part = sent[: len(sent) * 3 // 4]
        if self.site.cut == "chunks":
            part = b"%x\r\n%s\r\n" % (len(part), part)
        self.send_response(status)
        for name, value in {**headers, **announced[self.site.cut], "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(part)
        self.close_connection = True
        return None


@pytest.fixture
def site() -> CuttingSite:
    growing = CuttingSite()
    growing.grow(1, 12)
    return growing


@pytest.fixture
def collection(site: CuttingSite, tmp_path: Path) -> Iterator[Collection]:
    db = f"sqlite:///{tmp_path / 'scythe.db'}"
    with Served(site) as served:
        handler = type("Handler", (_CuttingHandler,), {"site": site})
        served._server.RequestHandlerClass = handler
        with Collection.add(f"{served.url}/", "kitchen", "recipe", db=db) as added:
            added.run()
            added.accept()
            site.asked.clear()
            yield added


def records(collection: Collection) -> dict[str, Any]:
    return {record.key: (record.state, record.fields) for record in collection.records()}


@pytest.mark.parametrize("cut", ["length", "chunks", "packed"])
def test_cut_answers_change_no_record(collection: Collection, site: CuttingSite, cut: str) -> None:
    before = records(collection)
    assert len(before) == 12
    site.cut = cut
    summary = collection.run(everything=True)
    assert not summary.records
    assert dict(summary.pages) == {"cut off": 12}
    assert dict(summary.index_pages) == {"cut off": 1}
    assert "ended before the whole page had come" in summary.trouble[0]
    assert Counter(site.asked)["/", 200] == 3
    assert records(collection) == before

    site.cut = ""
    summary = collection.run(everything=True)
    assert not summary.records
    assert dict(summary.pages) == {"unchanged": 12}
    assert records(collection) == before


@pytest.mark.parametrize("cut", ["length", "packed"])
def test_a_page_cut_once_is_retried(collection: Collection, site: CuttingSite, cut: str) -> None:
    site.cut, site.times = cut, 1
    summary = collection.run(everything=True)
    assert dict(summary.pages) == {"unchanged": 12}
    assert not summary.trouble


def test_a_cut_robots_txt_allows_nothing(collection: Collection, site: CuttingSite) -> None:
    site.robots = "User-agent: *\nDisallow: /none\nCrawl-delay: 0\nDisallow: /recipes/"
    site.cut = "length"
    summary = collection.run(everything=True)
    assert {path for path, _ in site.asked} == {"/robots.txt"}
    assert "robots.txt was cut off" in summary.trouble[0]
    assert dict(summary.pages) == {"cut off": 12}
