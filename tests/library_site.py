"""A small library with a search form, for tests of engines: books made of words, and
one oddity at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import product
from urllib.parse import parse_qs, quote_plus, urlsplit

from loopback import HTML, Reply, Visit

KINDS = "brief old secret common northern early practical".split()
THINGS = "history garden harvest kitchen weather village music language".split()
ABOUT = "written for beginners,told by a miller,with many pictures,in two volumes,from letters and songs".split(
    ","
)


def books() -> list[tuple[str, str]]:
    """Titles and what they are about: each kind of book on each thing."""
    return [
        (
            f"A {kind} {thing}",
            f"A book on the {thing}, {ABOUT[(number * 3) % len(ABOUT)]}, shelf {number}.",
        )
        for number, (kind, thing) in enumerate(product(KINDS, THINGS))
    ]


@dataclass
class Library:
    """A site for `Loopback`: form, result pages of ten, a page for each book."""

    method: str = "get"
    jumps: bool = False
    """Whether a query with one result leads to its page."""
    suggests: bool = False
    """Whether other books are shown where nothing was found."""
    token: bool = False
    """Whether the form has a token that is good for one search."""
    buttons: bool = False
    """Whether pages are turned by buttons of the form."""
    changed: bool = False
    """Whether results have another template."""
    hook: Callable[[Visit], Reply | None] = lambda _: None
    """May answer a request before the library does."""
    _issued: int = 0

    def __call__(self, visit: Visit) -> Reply | None:
        if (made := self.hook(visit)) is not None:
            return made
        path = urlsplit(visit.path).path
        if path == "/":
            return self._page(
                f"<h1>The library</h1>{self.form()}<p>Books on <a href=/b/3>music</a> and the garden.</p>"
            )
        if path == "/find":
            return self._results(visit)
        if path.startswith("/b/"):
            return self._page(
                f"<h1>{books()[int(path[3:])][0]}</h1><p>One book, to be lent for a month.</p>"
            )
        return 404, {"Content-Type": HTML}, b"<p>There is no such page.</p>"

    def found(self, query: str) -> list[int]:
        """The numbers of the books that have all words."""
        words = query.lower().split()
        return [
            number
            for number, book in enumerate(books())
            if words and all(word in " ".join(book).lower() for word in words)
        ]

    def form(self, query: str = "") -> str:
        hidden = ""
        if self.token:
            self._issued += 1
            hidden = f"<input type=hidden name=ticket value=n{self._issued}>"
        return (
            f"<form action=/find method={self.method}>{hidden}<input name=q value='{escape(query, quote=True)}'>"
            "<input type=submit value=Search></form>"
        )

    def _results(self, visit: Visit) -> Reply:
        sent = (
            visit.body.decode()
            if visit.method == "POST"
            else urlsplit(visit.path).query
        )
        values = {name: values[-1] for name, values in parse_qs(sent).items()}
        if self.token and values.get("ticket") != f"n{self._issued}":
            return (
                200,
                {"Content-Type": HTML},
                b"<h1>This form is too old</h1><p>Load the first page again.</p>",
            )
        self._issued += 1
        query, start = (
            values.get("q", ""),
            int(values.get("start", "0")) + (10 if ">" in values else 0),
        )
        numbers = self.found(query)
        if self.jumps and len(numbers) == 1:
            return 302, {"Location": f"/b/{numbers[0]}"}, b""
        if not numbers:
            other = (
                f"<p>You may like these:</p>{self._list(range(20, 26))}"
                if self.suggests
                else ""
            )
            return self._page(
                f"{self.form(query)}<p>Sorry, we have no such book.</p>{other}"
            )
        return self._page(self._with_pager(query, start, numbers))

    def _with_pager(self, query: str, start: int, numbers: list[int]) -> str:
        shown, more = self._list(numbers[start : start + 10]), start + 10 < len(numbers)
        if self.buttons:
            turn = "<input type=submit name='>' value=Next>" if more else ""
            return (
                self.form(query).replace(
                    "</form>",
                    f"<input type=hidden name=start value={start}>{turn}</form>",
                )
                + shown
            )
        link = (
            f"<p><a href='/find?q={quote_plus(query)}&amp;start={start + 10}'>Next page</a></p>"
            if more
            else ""
        )
        return self.form(query) + shown + link

    def _list(self, numbers: range | list[int]) -> str:
        rows = "".join(self._row(number, *books()[number]) for number in numbers)
        return (
            f"<section id=shelf>{rows}</section>"
            if self.changed
            else f"<ul class=books>{rows}</ul>"
        )

    def _row(self, number: int, title: str, about: str) -> str:
        if self.changed:
            return f"<div class=card><p>{about}</p><h2><a href=/b/{number}>{title}</a></h2></div>"
        return f"<li><a href=/b/{number}>{title}</a><p>{about}</p></li>"

    def _page(self, content: str) -> Reply:
        menu = "".join(
            f"<li><a href=/{name}>{name.title()}</a></li>"
            for name in ("opening hours", "staff", "rules")
        )
        html = f"<!DOCTYPE html><html lang=en><title>Library</title><ul id=menu>{menu}</ul><main>{content}</main></html>"
        return 200, {"Content-Type": HTML}, html.encode()


def titles(numbers: list[int]) -> Iterator[str]:
    """The titles of books."""
    return (books()[number][0] for number in numbers)
