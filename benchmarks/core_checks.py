"""What the compiled core does with hostile pages, and whether checked builds of it stay
clean.

python -m benchmarks.core_checks [DATA] [--pages 40] [--drawn 400]

Each hostile page is extracted in a process of its own, with the core at work. Then the
core is built without optimisation, with the compiler's checks of arithmetic and bounds,
and parses hostile pages, pages of the fuzzer and pages of DATA; a smaller part of them
under Valgrind, where there is one. Sanitizers and Miri need a compiler of another channel
than the one that builds the package.
"""

from __future__ import annotations

import gzip
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.common import arguments, report, table
from benchmarks.fuzz_parser import Pages, page_files
from benchmarks.hostile_pages import BOUNDED, HOSTILE
from scythe.core.library import is_built

ROOT = Path(__file__).parents[1]
MAX_SECONDS = 2
MAX_MEGABYTES = 500
VALGRIND_EVERY = 5
LARGEST_FOR_VALGRIND = 600_000
"""One page in so many, of at most so many bytes, is parsed under Valgrind, which takes
fifty times as long.
"""


def main() -> None:
    parser = arguments("Hostile pages, and checked builds of the core.")
    parser.add_argument("--pages", type=int, default=40, help="real pages to parse")
    parser.add_argument("--drawn", type=int, default=400, help="pages of the fuzzer")
    options = parser.parse_args()
    if not is_built():
        raise SystemExit("There is no compiled core: see CONTRIBUTING.md.")
    os.environ["SCYTHE_CORE"] = "1"
    hostile = {name: extracted(page) for name, page in (HOSTILE | BOUNDED).items()}
    with tempfile.TemporaryDirectory(prefix="scythe-checks-") as folder:
        files = write_pages(Path(folder), options)
        checks = run_checks(files)
    tables = [_hostile_table(hostile), _checks_table(checks)]
    report("core_checks", tables, {"hostile": hostile, "checks": checks})
    if any(check["failed"] for check in checks.values()):
        raise SystemExit(1)


def extracted(page: str) -> dict[str, float]:
    """Return what the extraction of a page takes, in a process of its own."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_extract, args=(page, theirs))
    process.start()
    taken: dict[str, float] = ours.recv()
    process.join()
    return taken


def _extract(page: str, pipe: Connection) -> None:
    import scythe

    scythe.extract("<p>A first page loads what every page needs.</p>")
    before = _peak_megabytes()
    start = time.process_time()
    scythe.extract(page)
    seconds = time.process_time() - start
    pipe.send(
        {
            "KB": len(page) / 1000,
            "seconds": seconds,
            "MB": _peak_megabytes(),
            "MB before": before,
        }
    )


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def write_pages(folder: Path, options: Any) -> list[Path]:
    """Write the pages that are parsed under checks, one file each."""
    texts = [*HOSTILE.values(), *BOUNDED.values()]
    drawn = Pages(None, seed=7)
    texts += [drawn.draw().text for _ in range(options.drawn)]
    pages = [text.encode("utf-8", "replace") for text in texts]
    real = page_files(options.data)
    for path in random.Random(0).sample(real, min(options.pages, len(real))):
        data = path.read_bytes()
        pages.append(gzip.decompress(data) if path.suffix == ".gz" else data)
    files = []
    for number, page in enumerate(pages):
        file = folder / f"{number}.html"
        file.write_bytes(page)
        files.append(file)
    return files


def run_checks(files: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Return how many pages each check was run over, and whether it found anything."""
    program = build_checked()
    checks = {"arithmetic and bounds": _run([program], files)}
    valgrind = shutil.which("valgrind")
    if valgrind:
        command = [valgrind, "--quiet", "--error-exitcode=9", "--leak-check=full"]
        few = files[::VALGRIND_EVERY]
        small = [file for file in few if file.stat().st_size <= LARGEST_FOR_VALGRIND]
        checks["Valgrind: memory"] = _run([*command, program], small)
    return checks


def build_checked() -> str:
    """Build the core without optimisation; return the program that parses files."""
    manifest = ROOT / "core" / "Cargo.toml"
    command = ["cargo", "build", "--offline", "--example", "parse_files"]
    subprocess.run([*command, "--manifest-path", str(manifest)], check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "core" / "target"))
    return str(target / "debug" / "examples" / "parse_files")


def _run(command: Sequence[str], files: Sequence[Path]) -> dict[str, Any]:
    start = time.perf_counter()
    ended = subprocess.run([*command, *map(str, files)], capture_output=True, text=True)
    if ended.returncode:
        print(ended.stderr[-2_000:], file=sys.stderr)
    return {
        "pages": len(files),
        "seconds": time.perf_counter() - start,
        "failed": ended.returncode != 0,
    }


def _hostile_table(hostile: dict[str, dict[str, float]]) -> str:
    rows = []
    for name, taken in hostile.items():
        is_within = taken["seconds"] <= MAX_SECONDS and taken["MB"] <= MAX_MEGABYTES
        numbers = [round(taken["KB"]), round(taken["seconds"], 3), round(taken["MB"])]
        rows.append([name, *numbers, "yes" if is_within else "no"])
    title = "Hostile pages with the core: CPU seconds and peak memory of the process"
    within = f"within {MAX_SECONDS} s and {MAX_MEGABYTES} MB"
    return table(title, ["page", "KB", "seconds", "MB", within], rows)


def _checks_table(checks: dict[str, dict[str, Any]]) -> str:
    rows = []
    for name, check in checks.items():
        found = "something" if check["failed"] else "nothing"
        rows.append([name, check["pages"], found])
    title = "The core's parser under checks"
    return table(title, ["check", "pages", "found"], rows)


if __name__ == "__main__":
    main()
