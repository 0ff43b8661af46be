"""Scale: pages per second against workers, the cost of the bulk path, memory over
100,000 pages, Ray, and a month of the web.

python -m benchmarks.scale [DATA] [--pages 400] [--rounds 3] [--only path workers memory
ray peers]

WARC files are written from the pages of content/wcxb. Processor time is that of all
processes of a run, so it means the same on a busy machine as on a quiet one; pages per
second do not. What one part measures is kept when only others are run again.
"""

from __future__ import annotations

import gzip
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.bulk_path import overhead
from benchmarks.common import arguments, content_pages, last_figures, report, table
from benchmarks.extractors import resiliparse, trafilatura
from benchmarks.machine import own_speedup
from benchmarks.processes import Watched, wait_for_quiet
from benchmarks.scale_document import write_document
from benchmarks.side_by_side import speedup

PARTS = ("path", "workers", "memory", "ray", "peers")
LARGEST_OF_MEMORY = 12_000
"""Bytes of the largest pages that the 100,000 pages are made of, so that the run ends
within the hour.
"""
PAGES_OF_MEMORY = 100_000
PAGES_OF_FILE = 1_000

Html = list[tuple[str, bytes]]


def main() -> None:
    parser = arguments("Bulk on one machine: speed, cost, memory, Ray, peers.")
    parser.add_argument(
        "--pages", type=int, default=400, help="how many random pages of wcxb"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        help="how often each run is repeated; the best counts",
    )
    parser.add_argument(
        "--wait",
        type=float,
        default=30.0,
        help="seconds to wait for a quiet machine before each run",
    )
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, default=PARTS, help="parts to measure"
    )
    parser.add_argument(
        "--memory-pages",
        type=int,
        default=PAGES_OF_MEMORY,
        help="pages of the memory run",
    )
    options = parser.parse_args()
    pages = [
        (page.truth.get("url") or f"https://{page.name}.example/", page.html)
        for page in content_pages(options.data, "wcxb")
    ]
    sample = random.Random(0).sample(pages, min(options.pages, len(pages)))
    measured: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(
        prefix="scythe-scale-", ignore_cleanup_errors=True
    ) as folder_name:
        folder = Path(folder_name)
        crawl = write_warc(folder / "crawl.warc.gz", sample)
        if "path" in options.only:
            measured["path"] = overhead(crawl, options.rounds)
        if "workers" in options.only:
            measured["workers"] = measure_workers(
                folder, crawl, sample, options.rounds, options.wait
            )
        if "peers" in options.only:
            measured["peers"] = measure_peers(sample)
        if "ray" in options.only:
            measured["ray"] = measure_ray(folder, crawl)
        if "memory" in options.only:
            measured["memory"] = measure_memory(folder, pages, options.memory_pages)
    figures = last_figures("scale") | measured
    report("scale", tables(figures), figures)
    write_document(figures)


def write_warc(path: Path, pages: Html) -> Path:
    """Write a WARC.gz as crawlers write them, a member a record, and return its path."""
    with path.open("wb") as file:
        for url, html in pages:
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
            header = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
                "WARC-Record-ID: <urn:uuid:0>\r\n"
                "Content-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(block)}\r\n\r\n"
            )
            record = header.encode() + block + b"\r\n\r\n"
            file.write(gzip.compress(record, 6))
    return path


def bulk(
    crawl: Sequence[Path], out: Path, look_every: float = 0.1, **options: Any
) -> dict[str, Any]:
    """Run once, and return its time, the processor time of all its processes, and the memory
    of its workers.
    """
    from scythe.bulk import BulkOptions, run

    with Watched(look_every) as watched:
        began = time.perf_counter()
        summary = run(
            crawl, out, options=BulkOptions(restart=True, timings=False, **options)
        )
        passed = time.perf_counter() - began
    return {
        "pages": summary.pages,
        "seconds": passed,
        "cpu": watched.cpu,
        "memory": watched.memory,
        "others": watched.others,
    }


def measure_workers(
    folder: Path, crawl: Path, sample: Html, rounds: int, wait: float
) -> dict[str, Any]:
    """Return the figures of one worker and of two, in turn."""
    one = write_warc(folder / "one.warc.gz", sample[:1])
    bulk(
        [one], folder / "one.jsonl", workers=2
    )  # starts the process that workers are made from
    found: dict[str, list[dict[str, Any]]] = {"1": [], "2": []}
    for _ in range(rounds):
        for workers in (1, 2):
            wait_for_quiet(wait)
            found[str(workers)].append(
                bulk([crawl], folder / f"out-{workers}.jsonl", workers=workers)
            )
    outputs = [(folder / f"out-{workers}.jsonl").read_bytes() for workers in (1, 2)]
    best = {workers: _least_disturbed(found[workers]) for workers in ("1", "2")}
    beside = [speedup(crawl, folder) for _ in range(rounds)]
    return {
        "pages": len(sample),
        "megabytes": sum(len(html) for _, html in sample) / 1e6,
        "best": best,
        "speedup": best["1"]["seconds"] / best["2"]["seconds"],
        "machine": own_speedup(crawl, rounds),
        "side by side": statistics.median(beside),
        "same rows": outputs[0] == outputs[1],
    }


def _least_disturbed(runs: list[dict[str, Any]]) -> dict[str, float]:
    """Return the run during which others took least of the machine, with the least
    processor time of all.
    """
    run = min(runs, key=lambda run: run["others"])
    return {
        "seconds": run["seconds"],
        "others": run["others"],
        "cpu": min(run["cpu"] for run in runs),
    }


def measure_peers(sample: Html) -> dict[str, float]:
    """Return processor milliseconds a page, each extractor in turn on the same page,
    the best of three.
    """
    import scythe
    from scythe.bulk import extract_page

    extractors: dict[str, Callable[[str, bytes], object]] = {
        "scythe bulk (text and metadata)": lambda url, html: extract_page(
            {"url": url, "html": html}
        ),
        "scythe (text)": lambda url, html: scythe.extract(html, url).text,
        "scythe econ+ (text)": lambda url, html: (
            scythe.extract(html, url, "econ+").text
        ),
        "resiliparse (text)": lambda _, html: resiliparse(html),
        "trafilatura (text)": lambda _, html: trafilatura(html),
    }
    totals = dict.fromkeys(extractors, 0.0)
    for url, html in sample:
        for name, extract in extractors.items():
            totals[name] += min(
                _timed(extract, url, html)
                for _ in range(3 if "trafilatura" not in name else 1)
            )
    return {name: 1000 * total / len(sample) for name, total in totals.items()}


def _timed(extract: Callable[[str, bytes], object], url: str, html: bytes) -> float:
    began = time.process_time()
    try:
        extract(url, html)
    except Exception:
        pass
    return time.process_time() - began


def measure_ray(folder: Path, crawl: Path) -> dict[str, Any]:
    """Return the same run on Ray on this machine, and whether the rows are the same."""
    try:
        import ray
    except ImportError:
        return {}
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    began = time.perf_counter()
    bulk([crawl], folder / "ray.jsonl", ray="local")
    passed = time.perf_counter() - began
    ray.shutdown()
    local = bulk([crawl], folder / "pool.jsonl", workers=2)
    same = (folder / "ray.jsonl").read_bytes() == (folder / "pool.jsonl").read_bytes()
    return {
        "pages": local["pages"],
        "ray seconds": passed,
        "pool seconds": local["seconds"],
        "same rows": same,
    }


def measure_memory(folder: Path, pages: Html, count: int) -> dict[str, Any]:
    """Return the memory of two workers over very many pages: files that are links to
    one of a thousand pages.
    """
    small = [page for page in pages if len(page[1]) <= LARGEST_OF_MEMORY]
    chosen = [small[index % len(small)] for index in range(min(PAGES_OF_FILE, count))]
    write_warc(folder / "thousand.warc.gz", chosen)
    links = [
        folder / f"link-{number:03}.warc.gz"
        for number in range(-(-count // len(chosen)))
    ]
    for link in links:
        link.hardlink_to(folder / "thousand.warc.gz")
    result = bulk(links, folder / "memory", look_every=2.0, workers=2)
    shutil.rmtree(folder / "memory")
    tenths = [
        result["memory"][int(index * (len(result["memory"]) - 1) / 10)]
        for index in range(11)
    ]
    return {
        "pages": result["pages"],
        "seconds": result["seconds"],
        "cpu": result["cpu"],
        "tenths": tenths,
    }


def tables(figures: dict[str, Any]) -> list[str]:
    """Return all that is known, as tables."""
    found = []
    if workers := figures.get("workers"):
        best, pages = workers["best"], workers["pages"]
        rows: list[list[object]] = []
        for number in ("1", "2"):
            speed, cpu = pages / best[number]["seconds"], best[number]["cpu"]
            ratios = [
                workers[name] if number == "2" else 1.0
                for name in ("speedup", "machine", "side by side")
            ]
            others = f"{best[number]['others']:.0%}"
            rows.append(
                [f"{number} workers", speed, *ratios, others, 1000 * cpu / pages]
            )
        title = f"Workers: {pages} pages of wcxb, {workers['megabytes']:.0f} MB"
        columns = [
            "run",
            "pages/s",
            "speed-up",
            "two bare loops",
            "side by side",
            "others took",
            "CPU ms a page",
        ]
        found.append(table(title, columns, rows))
    if path := figures.get("path"):
        rows = [
            ["the extractions alone", path["bare"], ""],
            [
                "with reading a WARC.gz, writing and watching",
                path["bulk"],
                path["ratio"],
            ],
        ]
        found.append(
            table(
                f"What the bulk path adds, {path['pages']} pages",
                ["", "CPU ms a page", "times"],
                rows,
            )
        )
    if memory := figures.get("memory"):
        rows = [
            [f"{tenth * 10} %", round(megabytes / 1e6)]
            for tenth, megabytes in enumerate(memory["tenths"])
        ]
        found.append(
            table(
                f"Memory of the larger worker over {memory['pages']:,} pages",
                ["done", "MB"],
                rows,
            )
        )
    if ray := figures.get("ray"):
        rows = [
            ["local pool", ray["pool seconds"], ""],
            ["Ray", ray["ray seconds"], "yes" if ray["same rows"] else "NO"],
        ]
        found.append(
            table(
                f"Ray on the same machine, {ray['pages']} pages",
                ["run", "seconds", "the same rows"],
                rows,
            )
        )
    if peers := figures.get("peers"):
        rows = [
            [name, milliseconds]
            for name, milliseconds in sorted(peers.items(), key=lambda item: item[1])
        ]
        found.append(table("CPU time of one core", ["extractor", "ms a page"], rows))
    return found


if __name__ == "__main__":
    main()
