"""A recipe site of our own that evolves: it adds, changes, moves, redesigns and removes
pages, and has faults of real ones.

    python tests/growing_site.py [PORT]

serves it on loopback, for the guide of collections.
"""

from __future__ import annotations

import hashlib
import random
import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

_GRAIN = "oats barley rye spelt millet rice buckwheat quinoa".split()
_DISH = "porridge soup bread stew salad pancakes dumplings gratin pie curry".split()
_THING = "milk butter salt honey onion carrot apple cream cheese thyme pepper garlic lemon parsley egg leek".split()
_VERB = "Chop Stir Boil Bake Fry Whisk Simmer Season Knead Roast".split()
Reply = tuple[int, dict[str, str], bytes]


@dataclass
class Recipe:
    """One recipe."""

    slug: str
    title: str
    ingredients: list[str]
    steps: list[str]
    minutes: int

    @classmethod
    def of(cls, number: int) -> Recipe:
        """The recipe of a number, always the same."""
        chance = random.Random(number)
        grain, dish = (
            _GRAIN[number % len(_GRAIN)],
            _DISH[number // len(_GRAIN) % len(_DISH)],
        )
        title = f"{grain.title()} {dish} no. {number}"
        things = chance.sample(_THING, 5)
        steps = [
            f"{chance.choice(_VERB)} the {thing} with the {grain} for {chance.randint(2, 40)} minutes."
            for thing in things
        ]
        ingredients = [f"{chance.randint(1, 9) * 50} g {thing}" for thing in things]
        return cls(
            f"{grain}-{dish}-{number}",
            title,
            ingredients,
            steps,
            chance.randint(10, 90),
        )


@dataclass
class GrowingSite:
    """The site as it is now; change its fields, and the next request sees it."""

    recipes: dict[str, Recipe] = field(default_factory=dict)
    redesigned: bool = False
    ending: str = ".html"
    robots: str = ""
    extra: dict[str, Reply] = field(default_factory=dict)
    """Replies to paths, before all others."""
    links: list[tuple[str, str]] = field(default_factory=list)
    """More links on the home page: address and text."""
    asked: list[tuple[str, int]] = field(default_factory=list)

    def grow(self, first: int, number: int) -> None:
        """Add recipes."""
        for each in range(first, first + number):
            recipe = Recipe.of(each)
            self.recipes[recipe.slug] = recipe

    def path(self, slug: str) -> str:
        """Where a recipe is."""
        return f"/recipes/{slug}{self.ending}"

    def counts(self) -> Counter[int]:
        """How many answers there were of each status."""
        return Counter(status for _, status in self.asked)

    def reply(self, path: str, tag: str | None) -> Reply:
        """What is said to a request."""
        if path in self.extra:
            return self.extra[path]
        body = self._body(path)
        if body is None:
            return 404, {"Content-Type": "text/html"}, b"<h1>Not found</h1>"
        own = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if tag == own:
            return 304, {"ETag": own}, b""
        return 200, {"Content-Type": "text/html; charset=utf-8", "ETag": own}, body

    def _body(self, path: str) -> bytes | None:
        if path == "/robots.txt":
            return self.robots.encode() if self.robots else None
        if path == "/":
            return self._home().encode()
        if path in ("/about", "/imprint"):
            return self._page(
                "About", "<p>We mow and we cook. Write to us whenever you like to.</p>"
            ).encode()
        slug = path.removeprefix("/recipes/").removesuffix(self.ending)
        if path == self.path(slug) and slug in self.recipes:
            return self._recipe(self.recipes[slug]).encode()
        return None

    def _home(self) -> str:
        titles = {
            self.path(slug): escape(recipe.title)
            for slug, recipe in self.recipes.items()
        }
        entries = "".join(
            f'<li><a href="{path}">{title}</a></li>' for path, title in titles.items()
        )
        more = "".join(
            f'<li><a href="{escape(url)}">{escape(text)}</a></li>'
            for url, text in self.links
        )
        others = f"<ul class=other>{more}</ul>" if more else ""
        return self._page(
            "The mowers' kitchen",
            f"<p>All that we cook.</p><ul id=all>{entries}</ul>{others}",
        )

    def _page(self, title: str, content: str) -> str:
        menu = '<a href="/">Home</a> <a href="/about">About</a> <a href="/imprint">Imprint</a>'
        if self.redesigned:
            return (
                f"<!DOCTYPE html><html lang=en><head><title>{escape(title)} | Kitchen</title></head><body><div class=wrap>"
                f"<header>{menu}</header><main><article><h1 class=top>{escape(title)}</h1>{content}</article></main></div>"
                "<footer><p>All rights reserved</p></footer></body></html>"
            )
        return (
            f"<!DOCTYPE html><html lang=en><head><title>{escape(title)}</title></head><body><nav>{menu}</nav>"
            f"<h1>{escape(title)}</h1>{content}<footer>All rights reserved</footer></body></html>"
        )

    def _recipe(self, recipe: Recipe) -> str:
        ingredients = "".join(f"<li>{escape(line)}</li>" for line in recipe.ingredients)
        steps = "".join(f"<li>{escape(line)}</li>" for line in recipe.steps)
        return self._page(
            recipe.title,
            f"<p>Total time: {recipe.minutes} min</p><h2>Ingredients</h2><ul>{ingredients}</ul>"
            f"<h2>Directions</h2><ol>{steps}</ol>",
        )


class Served:
    """A site on loopback, or at another address of this machine."""

    def __init__(
        self, site: GrowingSite, port: int = 0, host: str = "127.0.0.1"
    ) -> None:
        self.site = site
        self._host = host
        self._server = ThreadingHTTPServer(
            (host, port), type("Handler", (_Handler,), {"site": site})
        )
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever,
            kwargs={"poll_interval": 0.02},
            daemon=True,
        )

    @property
    def url(self) -> str:
        """Its address, without the last slash."""
        return f"http://{self._host}:{self._server.server_address[1]}"

    def __enter__(self) -> Served:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    site: GrowingSite
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        status, headers, body = self.site.reply(
            self.path, self.headers.get("If-None-Match")
        )
        self.site.asked.append((self.path, status))
        try:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            if headers.get("X-Endless"):
                while True:
                    self.wfile.write(
                        b"<p>More and more, and no end of it.</p>" * 10_000
                    )
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's signature
        """Keep quiet."""


if __name__ == "__main__":
    growing = GrowingSite()
    growing.grow(1, 30)
    with Served(growing, int(sys.argv[1]) if len(sys.argv) > 1 else 8765) as served:
        print(
            f"The demo site is at {served.url}/ until you stop it with Ctrl-C.",
            flush=True,
        )
        threading.Event().wait()
