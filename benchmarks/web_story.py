"""The first five clicks of a new user: from an empty database and one address to the
records of a site, as the pages of the web app show them.

    python -m benchmarks.web_story [DATA] [--sites NAME...] [--stages first|last|both]

Every staged site is served on loopback, and the forms and links of the app's pages are
used as a browser without scripts would: the address and its kind are given, the site is
added and run, all suggestions are accepted, the records are opened. Nothing is named. A
true value is shown right if a text of the record's page is it, or holds its words among
a few more, or the same day in the form of the database; one of a record that is not
there, or not on any page of the list, is wrong.
No site is unseen here: the text of pages and lists after a label were added with the
errors on `pythonjobs` and `jekyllthemes` in view.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from starlette.testclient import TestClient

from benchmarks.common import arguments, report, table
from benchmarks.staged_sites import Server, Stage, StagedSite, TrueRecord, sites
from benchmarks.suggestions import forms, holds, word_keys
from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.tree.parse import parse
from scythe.tree.text import visible_text
from scythe.tree.tree import Tree
from scythe.urls import url_key
from scythe.web.app import create_app
from scythe.web.server.settings import Settings

HEADER = ("site and stage", "clicks", "records", "found", "true values", "shown right")
KINDS = {"recipe", "product", "job", "article", "event"}
"""What the form offers; anything else is `record`."""
NAME = "site"
MAX_SECONDS = 900
"""Seconds of a run: a bound on what is waited for."""
_TEXT_TAGS = frozenset("h1 h2 h3 h4 p li dd dt td th span a blockquote pre".split())


@dataclass
class Tally:
    """What the pages of one site show."""

    clicks: int = 0
    records: int = 0
    found: int = 0
    true: int = 0
    right: int = 0
    by_field: dict[str, list[int]] = field(default_factory=dict)


class User:
    """A browser without scripts that counts its clicks."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self.clicks = 0
        self.page = ""

    def open(self, path: str) -> str:
        """Open an address, without a click."""
        self.page = self._client.get(path).raise_for_status().text
        return self.page

    def follow(self, path: str) -> str:
        """Click a link of the page."""
        if f'href="{path}"' not in self.page:
            raise SystemExit(f"The page has no link to {path}.")
        self.clicks += 1
        return self.open(path)

    def submit(self, path: str, **fields: str) -> str:
        """Click the button of a form of the page."""
        token = re.search(r'name="csrf" value="(\w+)"', self.page)
        if f'action="{path}"' not in self.page or token is None:
            raise SystemExit(f"The page has no form for {path}.")
        self.clicks += 1
        sent = {"csrf": token[1], **fields}
        self.page = self._client.post(path, data=sent).raise_for_status().text
        return self.page


def collect(user: User, url: str, kind: str) -> None:
    """Go from the home page to the list of records."""
    at = f"/collections/{NAME}"
    user.open("/")
    user.clicks += 1  # "Collect this site"
    user.open(f"/collections/add?url={url}")
    user.clicks += 1  # the kind
    user.submit("/collections/add", url=url, kind=kind, name=NAME, delay="0", run="1")
    deadline = time.monotonic() + MAX_SECONDS
    while f'action="{at}/stop"' in user.open(at):
        if time.monotonic() > deadline:
            raise SystemExit(f"The run of {url} takes more than {MAX_SECONDS} s.")
        time.sleep(0.5)
    if f'action="{at}/suggestions"' in user.page:
        user.submit(f"{at}/suggestions")
    user.follow(f"{at}/records")


def record_paths(user: User) -> Iterator[str]:
    """Yield the addresses of all records in the list, page by page."""
    at = f"/collections/{NAME}/records"
    while True:
        yield from dict.fromkeys(re.findall(rf'href="({at}/\d+)', user.page))
        following = re.search(r'rel="next" href="([^"]+)"', user.page)
        if following is None:
            return
        user.open(unescape(following[1]))


def shown_texts(body: str) -> tuple[str, list[str]]:
    """Return the address that a page of a record links to as its source, and the texts
    that the page shows, without its history.
    """
    article = body[body.index("<article") : body.index("</article>")]
    source = re.search(r'<p class="source"><a href="([^"]+)"', article)
    tree = parse(article.encode())
    return unescape(source[1]) if source else "", list(_texts(tree))


def _texts(tree: Tree) -> Iterator[str]:
    for node in range(len(tree)):
        if tree.name(node) in _TEXT_TAGS:
            yield visible_text(tree, node)


def measure(stage: Stage) -> Tally:
    """Return what the app shows of one stage of a site."""
    server = Server()
    server.stage = stage
    kind = stage.kind if stage.kind in KINDS else "record"
    shown: dict[str, list[str]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(str(Path(folder) / "story.db")) as store,
    ):
        app = create_app(Collections(store), Settings(port=80, allow_private=True))
        with TestClient(app, base_url="http://127.0.0.1") as client:
            user = User(client)
            collect(user, f"{server.url}/", kind)
            clicks = user.clicks
            for path in list(record_paths(user)):
                source, texts = shown_texts(user.open(path))
                shown[url_key(unquote(source))] = texts
    keys = [url_key(unquote(server.url + record.path)) for record in stage.records]
    server.close()
    tally = Tally(clicks, len(stage.records))
    for key, record in zip(keys, stage.records, strict=True):
        tally.found += key in shown
        _count(tally, record, shown.get(key, ()))
    return tally


def _count(tally: Tally, record: TrueRecord, texts: Sequence[str]) -> None:
    shown = word_keys(texts)
    for name, values in record.fields.items():
        counts = tally.by_field.setdefault(name, [0, 0])
        for value in values:
            is_right = any(holds(shown, key) for key in word_keys(forms(value)))
            tally.true += 1
            tally.right += is_right
            counts[0] += is_right
            counts[1] += 1


def chosen_stages(site: StagedSite, which: str) -> list[int]:
    """Return the numbers of the stages to measure."""
    first, last = site.numbers[0], site.numbers[-1]
    return {"first": [first], "last": [last], "both": [first, last]}[which]


def main() -> None:
    parser = arguments("What the web app shows after five clicks.")
    parser.add_argument("--sites", nargs="*", help="only these sites")
    parser.add_argument("--stages", choices=("first", "last", "both"), default="both")
    parser.add_argument("--verbose", action="store_true", help="show fields")
    options = parser.parse_args()
    rows: list[list[object]] = []
    figures: dict[str, Any] = {}
    for site in sites(options.data):
        if options.sites and site.name not in options.sites:
            continue
        for number in chosen_stages(site, options.stages):
            tally = measure(site.stage(number))
            name = f"{site.name} stage-{number}"
            figures[name] = [tally.clicks, tally.records, tally.found, tally.true]
            figures[name].append(tally.right / max(tally.true, 1))
            rows.append([name, *figures[name]])
            print(name, figures[name], flush=True)
            if options.verbose:
                print(tally.by_field)
    report("web_story", [table("After five clicks", HEADER, rows)], figures)


if __name__ == "__main__":
    main()
