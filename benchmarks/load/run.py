"""A run over many pages of which one in fifty fails: all others become records."""

from __future__ import annotations

import threading
import time
from collections import Counter
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.load.failing_site import handler, is_failing
from benchmarks.processes import Watched
from scythe.collect.collection import Collection


def collect_failing_site(database: Path, pages: int) -> dict[str, Any]:
    """Return what became of a run over a site that fails in every way."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(pages))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_address[1]}/"
    settings = {"delay": 0.0, "timeout": 5.0, "retries": 1, "max_pages": 2 * pages}
    began = time.monotonic()
    with (
        Collection.add(
            home, "load", "recipe", db=f"sqlite:///{database}", **settings
        ) as collection,
        Watched(1.0) as watched,
    ):
        summary = collection.run()
        seconds = time.monotonic() - began
        outcomes = Counter(page.outcome for page in collection._context.pages.all())
        found = {record.url for record in collection.records()}
    server.shutdown()
    expected = {f"{home}r/{n}.html" for n in range(pages) if not is_failing(n)}
    failed = sum(count for outcome, count in outcomes.items() if outcome != "ok")
    return {
        "pages": pages,
        "seconds": round(seconds),
        "state": str(summary.state),
        "pages that failed": failed,
        "ways in which they failed": ", ".join(sorted(set(outcomes) - {"ok"})),
        "largest process, MB": round(max(watched.memory, default=0) / 1e6),
        "records missing": len(expected - found),
        "records of failing pages": len(found - expected),
        "broken promises": len(expected ^ found) + (summary.state != "done"),
    }
