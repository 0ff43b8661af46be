"""The commands with real engines: search, harvest, and the spider that is exported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scythe.engines.engine import Engine

from .commands import Scythe
from .htdig import HtDig
from .judging import judge
from .omega import Omega
from .real import QUERIES, Running


def test_a_search_by_command_gives_what_the_engine_has(
    scythe: Scythe, real: Running, engine: Engine
) -> None:
    scythe.store(engine)
    query = next(
        query
        for query in QUERIES
        if query not in engine.queries and len(real.truth(query)) >= 8
    )
    found = scythe.search(query, "--deadline", "30")
    score = judge(
        [(hit["title"], hit["url"]) for hit in found["hits"]],
        real.truth(query),
        real.key,
    )
    assert min(score.precision, score.recall) >= 0.97
    assert [answer["status"] for answer in found["engines"]] == ["ok"]


def test_a_harvest_brings_each_document_once(
    scythe: Scythe, real: Running, engine: Engine
) -> None:
    scythe.store(engine)
    name = real.engine.name
    rows = scythe.run(
        "engine", "harvest", name, "--queries", "4", "--pages", "2", "--format", "jsonl"
    ).splitlines()
    links = [real.key(json.loads(row)["link"]) for row in rows]
    assert len(links) >= 15
    assert len(set(links)) == len(links)
    assert all(links)


@pytest.mark.parametrize("real", [Omega(), HtDig()], indirect=True, ids=["get", "post"])
def test_an_exported_spider_searches(
    scythe: Scythe, real: Running, engine: Engine, tmp_path: Path
) -> None:
    pytest.importorskip("scrapy")
    scythe.store(engine)
    scythe.run(
        "engine",
        "export",
        real.engine.name,
        "--to",
        "scrapy",
        "--out",
        tmp_path / "spider.py",
    )
    query = next(
        query
        for query in QUERIES
        if query not in engine.queries and 3 <= len(real.truth(query)) < 10
    )
    settings = ["TELNETCONSOLE_ENABLED=0", "DOWNLOAD_DELAY=0", "RETRY_ENABLED=0"]
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        "spider.py",
        "-O",
        "items.jsonl",
        "-a",
        f"query={query}",
    ]
    for setting in settings:
        command += ["-s", setting]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    items = [
        json.loads(line)
        for line in (tmp_path / "items.jsonl").read_text("utf-8").splitlines()
    ]
    score = judge(
        [(item["title"], item["link"]) for item in items], real.truth(query), real.key
    )
    assert min(score.precision, score.recall) >= 0.97
