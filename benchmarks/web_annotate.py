"""The annotation page of product pages with hundreds of slots.

    python -m benchmarks.web_annotate [--rows 500]

A made-up shop is collected whose product pages have a heading, a price, a few usual
facts, and so many values without a label, each in elements of its own. `ms` is the CPU time of the
process from the request to the last byte, the median of a dozen; `pixels` is how high
the page is in Chromium before "Unused data" is opened.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from benchmarks.common import arguments, report, table
from benchmarks.web import ask, timed
from scythe.collect.catalogue import Collections
from scythe.collect.collection import Collection
from scythe.render.chromium import require_chromium
from scythe.store import Store
from scythe.web.app import create_app
from scythe.web.server.settings import Settings

NAME = "shop"
PRODUCTS = 12
WIDTHS = {"desktop": (1280, 860), "phone": (390, 844)}
_TAGS = "div section article aside blockquote center address p".split()
_WORDS = "oak ash elm yew fir".split()
_PATH = f"/collections/{NAME}/annotate"


def product_page(number: int, rows: int) -> str:
    """Return the page of a product, always the same for a number."""
    chance = random.Random(number)
    facts = "".join(
        f"<tr><th>{label}</th><td>{label} {chance.randint(1, 99)}</td></tr>"
        for label in ("Brand", "Colour", "Weight", "Material", "Warranty", "Origin")
    )
    properties = "".join(
        _property(row, f"{chance.choice(_WORDS)} {chance.randint(1, 10**6)}")
        for row in range(rows)
    )
    return (
        f"<title>Rake {number}</title><h1>Rake {number}</h1>"
        f"<p class=price>€ {chance.randint(10, 99)}.50</p><table>{facts}</table>"
        f"<section>{properties}</section>"
    )


def _property(row: int, value: str) -> str:
    """Return a value in elements that no other row has: like rows would be one slot."""
    tags = []
    for _ in range(3):
        row, tag = divmod(row, len(_TAGS))
        tags.append(_TAGS[tag])
    opening = "".join(f"<{tag}>" for tag in tags)
    closing = "".join(f"</{tag}>" for tag in reversed(tags))
    return f"{opening}{value}{closing}"


class _Handler(BaseHTTPRequestHandler):
    rows = 0

    def do_GET(self) -> None:
        """Answer with the list or a product."""
        links = "".join(
            f"<li><a href=/p/{number}.html>Rake {number}</a></li>"
            for number in range(PRODUCTS)
        )
        found = re.fullmatch(r"/p/(\d+)\.html", self.path)
        body = f"<h1>All</h1><ul>{links}</ul>" if self.path == "/" else ""
        if found:
            body = product_page(int(found[1]), self.rows)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def collect(database: Path, rows: int) -> None:
    """Collect the shop."""
    handler = type("Handler", (_Handler,), {"rows": rows})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    with Collection.add(
        url, NAME, "product", db=str(database), delay=0.0, render=False
    ) as collection:
        collection.run()
    server.shutdown()


def heights(database: Path) -> dict[str, int]:
    """Return how high the page is, by the width of the screen."""
    command = [sys.executable, "-m", "scythe", "serve", "--port", "0"]
    serving = subprocess.Popen(
        [*command, "--db", str(database)], stderr=subprocess.PIPE, text=True
    )
    assert serving.stderr
    said = next(line for line in serving.stderr if "http://" in line)
    home = said.split("http://")[1].split("/")[0]
    found = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=str(require_chromium()), args=["--no-sandbox"]
        )
        for name, (width, height) in WIDTHS.items():
            size = ViewportSize(width=width, height=height)
            page = browser.new_page(viewport=size)
            page.goto(f"http://{home}{_PATH}")
            script = "document.documentElement.scrollHeight"
            found[name] = int(page.evaluate(script))
        browser.close()
    serving.terminate()
    serving.wait()
    return found


def main() -> None:
    parser = arguments("The annotation page of pages with hundreds of slots.")
    parser.add_argument("--rows", type=int, default=500, help="rows of properties")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "annotate.db"
        collect(database, options.rows)
        with Store.open(str(database)) as store:
            app = create_app(Collections(store), Settings(port=80))
            status, body = ask(app, _PATH)
            unused = re.search(rb'Unused data <span class="badge">(\d+)', body)
            if status != 200 or unused is None:
                raise SystemExit(f"The page answers {status}.")
            cpu, clock = timed(partial(ask, app, _PATH))
        pixels = heights(database)
    row = [int(unused[1]), f"{cpu:.0f}", f"{clock:.0f}", len(body) // 1024]
    header = ("unused slots", "CPU ms", "ms", "KB", *(f"{name} px" for name in pixels))
    figures = {"unused": int(unused[1]), "cpu": cpu, "clock": clock, **pixels}
    title = "The annotation page of a product page with many slots"
    tables = [table(title, header, [[*row, *pixels.values()]])]
    report("web_annotate", tables, figures)


if __name__ == "__main__":
    main()
