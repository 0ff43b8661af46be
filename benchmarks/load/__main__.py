"""Run the parts that are asked for; fail where a promise was broken."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.common import report, table
from benchmarks.load.metasearch import search_slow_engines
from benchmarks.load.run import collect_failing_site
from benchmarks.load.web_app import load_web_app

PARTS = ("web", "metasearch", "run")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--seconds", type=float, default=600, help="of the web app")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--db", type=Path, help="a file of `benchmarks.web` to use")
    options = parser.parse_args()
    figures: dict[str, dict[str, Any]] = {}
    with TemporaryDirectory() as folder:
        if "web" in options.parts:
            database = options.db or Path(folder) / "web.db"
            figures["web"] = load_web_app(database, options.records, options.seconds)
        if "metasearch" in options.parts:
            figures["metasearch"] = search_slow_engines()
        if "run" in options.parts:
            figures["run"] = collect_failing_site(
                Path(folder) / "run.db", options.pages
            )
    tables = []
    for part, found in figures.items():
        tables.append(table(part, ("", "figure"), list(found.items())))
    report("load", tables, figures)
    sys.exit(any(found["broken promises"] for found in figures.values()))


if __name__ == "__main__":
    main()
