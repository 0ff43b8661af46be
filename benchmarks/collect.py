"""One collection of based.cooking over seven moments of its life, with an automatic
operator.

    python -m benchmarks.collect [DATA] [--stages 1 2 3 4 5 6 7] [--db URL]

Each stage is served on loopback (entity tags by content, 404 for what is not there) and
the same collection is run against it, every page being due, as stages are days to
months apart. The automatic operator acts after stage 1 and where there are notices:
from the truth of that stage alone, it names the slots that give title, ingredients and
directions best.

Links: of the links that a run decides to follow as records, how many lead to recipes
(precision); of the recipes that the stage has and that were not listed at the stage
before, how many were followed (recall; one recipe of stage 1 is listed nowhere).
Fields: token F1 (words in small letters after NFKC) of ingredients and directions, the
mean over all recipes of the stage, a recipe without a good record counting 0. Lost:
recipes of the stage that were listed and have no good record. Doubled: good records
that are no recipe of the stage, or two of one. Wrong: good records with an F1 below 0.5
in either field. Moves: recipes whose record kept its history under the new address, of
those that the truth says moved.

The least possible number of requests of a run: robots.txt, the index page, the page of
every recipe that is newly listed, the page of every known recipe that is still listed
(only the server knows whether it has changed: 304 without a body where it has not), and
one for every recipe that is no longer listed and did not move (to see that it is gone).
`requests` is what the server counted, `ratio` their quotient. `sent` are answers with a
page, `unchanged` those of 304; `changed` is how many pages that were known have other
bytes.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks.common import arguments, report, table
from benchmarks.recipe_pages import based_cooking_stage
from scythe.collect.collection import Collection
from scythe.collect.records.field_values import slot_values
from scythe.store.states import RecordChange
from scythe.urls import url_key

HEADER = (
    "stage",
    "recipes",
    "links P",
    "links R",
    "ingredients F1",
    "directions F1",
    "lost",
    "doubled",
    "wrong",
    "moved",
    "requests",
    "least",
    "ratio",
    "sent",
    "unchanged",
    "changed",
    "operator",
    "s",
)
FIELDS = {"title": "title", "ingredients": "ingredients", "directions": "instructions"}
"""Fields of the truth and of the schema."""
_WORD = re.compile(r"\w+")
_TYPES = {
    ".html": "text/html",
    ".xml": "application/xml",
    ".txt": "text/plain",
    ".css": "text/css",
}


class Site:
    """Serves the files of a stage on loopback, as a static server does, and counts."""

    def __init__(self) -> None:
        self.files: Mapping[str, bytes] = {}
        self.asked: Counter[int] = Counter()
        handler = type("Handler", (_Handler,), {"site": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Its address, without the last slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, path: str, tag: str | None) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of the answer to a request."""
        body = self.files.get(path)
        if body is None and f"{path}/" in self.files:
            return 301, {"Location": f"{path}/"}, b""
        if body is None:
            return 404, {"Content-Type": "text/html"}, b"<h1>Not found</h1>"
        own = f'"{hashlib.sha256(body).hexdigest()}"'
        if tag == own:
            return 304, {"ETag": own}, b""
        kind = _TYPES.get(Path(path).suffix or ".html", "application/octet-stream")
        return 200, {"ETag": own, "Content-Type": kind}, body


class _Handler(BaseHTTPRequestHandler):
    site: Site
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer and count."""
        status, headers, body = self.site.answer(
            self.path.partition("?")[0], self.headers.get("If-None-Match")
        )
        self.site.asked[status] += 1
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def words(texts: Sequence[str]) -> Counter[str]:
    return Counter(
        _WORD.findall(unicodedata.normalize("NFKC", " ".join(texts)).casefold())
    )


def token_f1(found: Sequence[str], true: Sequence[str]) -> float:
    one, two = words(found), words(true)
    total = one.total() + two.total()
    return 2 * (one & two).total() / total if total else 1.0


def listed(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [str(value)] if value else []


def operate(collection: Collection, site: Site, truth: Mapping[str, Any]) -> int:
    """Name the slots that fit the truth best, until no other makes it better; gives how
    many were named.
    """
    recipes = {url_key(site.url + recipe["url"]): recipe for recipe in truth["recipes"]}
    context = collection._context
    pages = {page.id: url_key(page.url) for page in context.pages.all()}
    rows = [
        row
        for cluster in context.templates.clusters()
        for row in context.templates.extracted_in_cluster(cluster)
    ]
    values = {
        pages[row.page_id]: slot_values(row, {})
        for row in rows
        if pages[row.page_id] in recipes
    }
    named = 0
    for true_name, name in FIELDS.items():
        true_values = {page: listed(recipes[page][true_name]) for page in values}
        for slot in _best_slots(
            values,
            true_values,
            [slot for slot, given in context.slot_fields.items() if given[0] == name],
        ):
            collection.name_slot(slot, name)
            named += 1
    collection.dismiss_notices(collection.notices())
    return named


def _best_slots(
    values: Mapping[str, Mapping[str, Sequence[str]]],
    true_values: Mapping[str, list[str]],
    chosen: Sequence[str],
) -> list[str]:
    """Return slots to add to those chosen: of one kind, each making the mean F1 better
    by a hundredth of a page or more.
    """
    slots = sorted({slot for found in values.values() for slot in found})
    have = {
        page: [text for slot in chosen for text in found.get(slot, ())]
        for page, found in values.items()
    }
    score = {
        page: token_f1(have[page], true_values[page]) if have[page] else 0.0
        for page in values
    }
    added: list[str] = []
    while True:
        gains: Counter[str] = Counter()
        for page, found in values.items():
            for slot in found:
                if slot in slots and slot not in added and slot not in chosen:
                    gains[slot] += (
                        token_f1([*have[page], *found[slot]], true_values[page])
                        - score[page]
                    )  # type: ignore[assignment]
        best = max(gains, key=lambda slot: (gains[slot], slot), default=None)
        if best is None or gains[best] < 0.5:
            return added
        added.append(best)
        slots = [
            slot for slot in slots if slot.partition(":")[0] == best.partition(":")[0]
        ]
        for page, found in values.items():
            have[page] = [*have[page], *found.get(best, ())]
            score[page] = token_f1(have[page], true_values[page]) if have[page] else 0.0


def run_stage(
    collection: Collection,
    site: Site,
    truth: Mapping[str, Any],
    before: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Run the collection against the stage that is served, let the operator act, and
    measure.
    """
    site.asked.clear()
    known_files = {
        url_key(record.url): record.body_hash
        for record in collection.records("ok", "review")
    }
    began = time.perf_counter()
    summary = collection.run(refetch_all=True)
    seconds = time.perf_counter() - began
    acted = 0
    if before is None or collection.notices():
        acted = operate(collection, site, truth)
    run = collection.runs()[-1].id
    recipes = {url_key(site.url + recipe["url"]): recipe for recipe in truth["recipes"]}
    on_index = {
        url_key(site.url + link["target"])
        for link in truth["index_links"]["/"]
        if link["kind"] == "recipe"
    }
    then = (
        {
            url_key(site.url + link["target"])
            for link in before["index_links"]["/"]
            if link["kind"] == "recipe"
        }
        if before
        else set()
    )
    followed = {
        url_key(link.url)
        for link in collection.links()
        if link.decision == "record" and link.first_in == run
    }
    new_recipes = set(recipes) - then
    good = {record.key: record for record in collection.records("ok")}
    scores = {
        name: {
            address: _score(good.get(address), recipe, name)
            for address, recipe in recipes.items()
        }
        for name in ("ingredients", "directions")
    }
    diff = truth.get("diff") or {}
    moves = [
        (url_key(site.url + old), url_key(site.url + new))
        for old, new in diff.get("moved_recipes", [])
    ]
    kept = sum(
        new in good and url_key(good[new].moved_from or "") == old for old, new in moves
    )
    moved_in_run = summary.records.get(RecordChange.MOVED, 0)
    gone = len(then - on_index) - len(moves)
    least = 2 + len(on_index | then) - len(then - on_index) + max(gone, 0)
    total = site.asked.total()
    after = {record.key: record.body_hash for record in good.values()}
    low = [
        address
        for address in recipes
        if address in good and min(scores[name][address] for name in scores) < 0.5
    ]
    return {
        "recipes": len(recipes),
        "precision": len(followed & set(recipes)) / max(len(followed), 1),
        "recall": len(followed & new_recipes) / max(len(new_recipes), 1),
        "ingredients": sum(scores["ingredients"].values()) / len(recipes),
        "directions": sum(scores["directions"].values()) / len(recipes),
        "lost": len((set(recipes) & on_index) - good.keys()),
        "doubled": len(good.keys() - set(recipes)),
        "wrong": len(low),
        "moved": f"{kept} of {len(moves)}"
        + (f" ({moved_in_run} in all)" if moved_in_run != len(moves) else ""),
        "requests": total,
        "least": least,
        "ratio": total / least,
        "sent": site.asked[200],
        "unchanged": site.asked[304],
        "changed": sum(
            known_files.get(address) not in (None, body)
            for address, body in after.items()
        ),
        "operator": acted,
        "seconds": seconds,
        "summary": summary.as_json(),
    }


def _score(record: Any, recipe: Mapping[str, Any], name: str) -> float:
    return (
        token_f1(listed(record.fields.get(FIELDS[name])), listed(recipe[name]))
        if record is not None
        else 0.0
    )


def main() -> None:
    parser = arguments(__doc__ or "")
    parser.add_argument(
        "--stages",
        type=int,
        nargs="+",
        default=list(range(1, 8)),
        help="stages to serve, in this order",
    )
    parser.add_argument(
        "--db",
        help="the database to use, by default an SQLite file that is thrown away",
    )
    given = parser.parse_args()
    site = Site()
    results: dict[str, Any] = {}
    rows = []
    before: Mapping[str, Any] | None = None
    with tempfile.TemporaryDirectory() as folder:
        database = given.db or f"sqlite:///{Path(folder) / 'collect.db'}"
        with Collection.add(
            f"{site.url}/", "based-cooking", "recipe", db=database
        ) as collection:
            for stage in given.stages:
                truth, files = based_cooking_stage(given.data, stage)
                site.files = dict(files)
                measured = results[str(stage)] = run_stage(
                    collection, site, truth, before
                )
                before = truth
                rows.append(
                    [
                        stage,
                        *(
                            _shown(value)
                            for name, value in measured.items()
                            if name != "summary"
                        ),
                    ]
                )
    report(
        "collect",
        [table("based.cooking, one collection over its stages", HEADER, rows)],
        results,
    )


def _shown(value: object) -> object:
    return f"{value:.3f}" if isinstance(value, float) else value


if __name__ == "__main__":
    main()
