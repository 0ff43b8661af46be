"""The same rows from the local pool and from Ray, started for real."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from crawl import article, page_record, rows_of, untimed, write_warc
from hostile_method import hostile
from scythe.bulk import Budget, BulkOptions, Documents, InputOptions, run


def test_ray_gives_the_same_rows(
    ray: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [
        "<p>LOOP" if n == 7 else "<p>CRASH" if n == 11 else article(n % 15)
        for n in range(20)
    ]
    records = [
        page_record(f"https://{'farm' if n % 3 else 'mill'}.example/{n}", page)
        for n, page in enumerate(pages)
    ]
    records[4] = records[4].replace(b"Content-Length: ", b"Content-Length: 9")
    write_warc(tmp_path / "crawl.warc.gz", [*records, b"no record at all"], packed=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    monkeypatch.setenv(
        "RAY_worker_niceness", "0"
    )  # else its workers starve on a busy machine
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False
    )  # once for both runs
    shared = {
        "inputs": InputOptions(partition_bytes=3000),
        "budget": Budget(seconds=1.0),
        "workers": 2,
        "duplicates": "exact",
    }
    for by_site in (False, True):
        found = {}
        for name, address in (("pool", None), ("ray", "local")):
            out = tmp_path / f"{name}-{by_site}.jsonl"
            options = BulkOptions(ray=address, by_site=by_site, **shared)  # type: ignore[arg-type]
            run(["crawl.warc.gz"], out, Documents(method=hostile), options)
            found[name] = untimed(rows_of(out))
        assert found["ray"] == found["pool"]
        assert {"ok", "time", "crashed", "broken", "duplicate"} <= {
            row["status"] for row in found["ray"]
        }


@pytest.mark.usefixtures("ray")
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    crawl = write_warc(
        tmp_path / "crawl.warc", [page_record("https://farm.example/", article(1))]
    )
    command = [sys.executable, "-m", "scythe", "bulk", str(crawl), "--ray", "auto"]
    # Ray is started once a process: a second time may end it.
    done = subprocess.run(
        [*command, "-o", str(tmp_path / "out.jsonl")], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"There is no Ray cluster" in done.stderr
