"""A small search engine of our own on loopback: items made of words, a form, result
pages in a template that can change.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from types import TracebackType
from urllib.parse import parse_qs, urlsplit

from scythe.engines.engine import Engine
from scythe.engines.forms.form import Control, SearchForm
from scythe.wrappers.learn import learn
from scythe.wrappers.wrapper import Wrapper

WORDS = (
    "barley scythe meadow harvest whetstone terrace granary orchard hayloft furrow sickle windrow thresher pasture clover "
    "stubble shovel lantern cellar bramble heron kestrel mill weir ferry copper linen saddle anvil bellows"
).split()
HANGS = 30
"""Seconds for which an engine that hangs does not answer."""


@dataclass(frozen=True)
class Item:
    """One thing that can be found."""

    number: int
    site: str = "http://things.example"

    @property
    def words(self) -> list[str]:
        return Random(self.number).sample(WORDS, 4)

    @property
    def title(self) -> str:
        one, two, three, _ = self.words
        return f"The {one} of {two} and {three}, part {self.number}"

    @property
    def url(self) -> str:
        return f"{self.site}/thing/{self.number}"

    @property
    def snippet(self) -> str:
        return f"Some words on {', '.join(self.words)} and on what goes with it, number {self.number} of all."


def old_look(items: Sequence[Item]) -> str:
    rows = "".join(
        f"<li class=hit><h3><a href='{item.url}'>{escape(item.title)}</a></h3><p class=text>{item.snippet}</p>"
        f"<div class=meta><span class=date>2024-05-{item.number % 28 + 1:02}</span>"
        f"<b class=price>€{item.number + 3}.50</b></div></li>"
        for item in items
    )
    return f"<ol id=results>{rows}</ol>"


def new_look(items: Sequence[Item]) -> str:
    rows = "".join(
        f"<article class=card><div class=top><a class=name href='{item.url}'>{escape(item.title)}</a>"
        f"<span class=cost>€{item.number + 3}.50</span></div><div class=words>{item.snippet}</div></article>"
        for item in items
    )
    return f"<section class=found-things>{rows}</section>"


Look = Callable[[Sequence[Item]], str]


@dataclass
class Behaviour:
    """What the engine does besides answering; tests change it while it runs."""

    look: Look = old_look
    size: int = 10
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    body: str | None = None
    home: str | None = None
    empty: str = "<p>Nothing was found. Try fewer words, or others.</p>"


class SmallEngine:
    """Searches its items for one that has all words of a query."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = list(items)
        self.behaviour = Behaviour()
        self.asked: list[str] = []
        self.stopping = threading.Event()
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Handler,), {"engine": self})
        )
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            daemon=True,
        )

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/"

    @property
    def queries(self) -> list[str]:
        """The words of all searches so far."""
        return [
            parse_qs(urlsplit(path).query).get("q", [""])[0]
            for path in self.asked
            if path.startswith("/search")
        ]

    def found(self, query: str) -> list[Item]:
        wanted = query.lower().split()
        return [
            item for item in self.items if all(word in item.words for word in wanted)
        ]

    def page(self, query: str, number: int = 0) -> str:
        size = self.behaviour.size
        items = self.found(query)
        shown = items[number * size : number * size + size]
        if not shown:
            return _page(self.behaviour.empty)
        following = (
            f"<a class=next href='/search?q={query}&page={number + 1}'>Next</a>"
            if items[(number + 1) * size :]
            else ""
        )
        return _page(f"{self.behaviour.look(shown)}<div class=pager>{following}</div>")

    def front(self) -> str:
        """The page with the form."""
        return _page("")

    def known(self, name: str = "small", look: Look = old_look) -> Engine:
        """The engine as it is once it was learned in some look."""
        form = SearchForm(
            f"{self.home}search",
            "q",
            controls=(Control("q", kind="search"), Control("page", "0")),
        )
        learned_at = datetime(2026, 1, 1, tzinfo=UTC).isoformat()
        return Engine(
            name,
            self.home,
            form,
            learned(look),
            learned_at=learned_at,
            queries=("barley", "scythe", "meadow"),
        )

    def __enter__(self) -> SmallEngine:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()

    def stop_listening(self) -> None:
        """Close what was never started: another server has its pages."""
        self._server.server_close()


@cache
def learned(look: Look) -> Wrapper:
    """The wrapper of a look."""
    items = [Item(number) for number in range(30)]
    pages = [_page(look(items[start : start + 10])) for start in (0, 10, 20)]
    return learn(pages, _page(Behaviour().empty), render=False)


def _page(content: str) -> str:
    menu = "".join(
        f"<li><a href='/{word}'>{word.title()}</a></li>"
        for word in ("home", "about", "help", "imprint")
    )
    topics = "".join(f"<p>All about {word} and its uses.</p>" for word in WORDS[:12])
    field = "<input type=search name=q><input type=hidden name=page value=0><button>Search</button>"
    return (
        "<!DOCTYPE html><html lang=en><head><title>Things</title></head><body>"
        f"<nav><ul>{menu}</ul></nav><form action=/search role=search>{field}</form>"
        f"<main>{content or topics}</main><footer>Made by hand.</footer></body></html>"
    )


class _Handler(BaseHTTPRequestHandler):
    engine: SmallEngine

    def do_GET(self) -> None:
        behaviour = self.engine.behaviour
        self.engine.asked.append(self.path)
        parts = urlsplit(self.path)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if behaviour.hangs:
            self.engine.stopping.wait(HANGS)
            return None
        if parts.path == "/robots.txt":
            return self._answer(404, {}, "")
        if parts.path == "/go":
            target = {"Location": f"/search?q={given.get('q', '')}"}
            return self._answer(302, target, "")
        if parts.path == "/search":
            page = behaviour.body or self.engine.page(
                given.get("q", ""), int(given.get("page", "0"))
            )
            return self._answer(behaviour.status, behaviour.headers, page)
        return self._answer(200, {}, behaviour.home or _page(""))

    def _answer(self, status: int, headers: dict[str, str], body: str) -> None:
        try:
            self.send_response(status)
            for name, value in {
                "Content-Type": "text/html; charset=utf-8",
                **headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())
        except ConnectionError:
            pass

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


def dead_engine(name: str) -> Engine:
    """An engine where nothing answers any more."""
    engine = SmallEngine([])
    engine.stop_listening()
    return engine.known(name)
