"""The figures of docs/scale.md: what was measured, and what a month of the web costs by
it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from benchmarks.common import RESULTS, table

DOCUMENT = Path(__file__).parents[1] / "docs" / "scale.md"
PAGES_OF_MONTH = 2_500_000_000
BYTES_OF_MONTH = 420 * 2**40
"""A crawl of Common Crawl as its announcements describe them: some 2.5 billion pages,
some 420 TiB uncompressed.
"""


def write_document(figures: dict[str, Any]) -> None:
    """Put the figures between the marks of docs/scale.md."""
    if not DOCUMENT.is_file():
        return
    measured = (RESULTS / "scale.md").read_text("utf-8").strip()
    block = f"<!-- figures -->\n\n{measured}\n\n{month(figures)}\n<!-- /figures -->"
    text = re.sub(
        r"<!-- figures -->.*?<!-- /figures -->",
        lambda _: block,
        DOCUMENT.read_text("utf-8"),
        flags=re.DOTALL,
    )
    DOCUMENT.write_text(text, "utf-8")


def month(figures: dict[str, Any]) -> str:
    """Return core-hours of a crawl by pages and by bytes, for each extractor: its own
    time and what the bulk path adds to ours.
    """
    workers, path, peers = (
        figures.get("workers"),
        figures.get("path"),
        figures.get("peers"),
    )
    if not workers or not path or not peers:
        return ""
    added = (path["bulk"] - path["bare"]) / 1000
    bytes_of_page = workers["megabytes"] * 1e6 / workers["pages"]
    rows = []
    for name, milliseconds in sorted(peers.items(), key=lambda item: item[1]):
        seconds = milliseconds / 1000 + added
        by_pages = seconds * PAGES_OF_MONTH / 3600
        by_bytes = seconds / bytes_of_page * BYTES_OF_MONTH / 3600
        rows.append(
            [name, round(1000 * seconds, 2), f"{by_pages:,.0f}", f"{by_bytes:,.0f}"]
        )
    columns = [
        "extractor",
        "CPU ms a page",
        "core-hours by pages",
        "core-hours by bytes",
    ]
    return table("A month of Common Crawl", columns, rows)
