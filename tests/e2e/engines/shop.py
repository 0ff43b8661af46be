"""A small search engine of our own: things made of words, found by them, shown in one
of several layouts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote, quote_plus

from .real import Item
from .serving import Asked, Reply, no_such_page

THINGS = (
    "scythe sickle rake hayfork barrow whetstone anvil hammer bucket ladder basket lantern kettle plough harrow roller thresher "
    "winnower wagon saddle bridle trough spade hoe mattock billhook pruner grafter mallet chisel"
).split()
PLACES = (
    "meadow orchard barn granary hayloft terrace furrow pasture hedge mill brook cellar kitchen stable garden vineyard village "
    "valley market forge"
).split()
KINDS = "old narrow heavy light curved painted folding copper wooden iron patient crooked polished dented borrowed".split()
DOINGS = (
    "It was made for {place} work and is kept dry. The {thing} has a {kind} handle.",
    "Used every summer in the {place}, and sharpened before each {thing} is put away.",
    "Whoever needs a {thing} finds this one in the {place}; it is {kind} and sound.",
    "The {kind} one from the {place}. A second {thing} hangs beside it.",
)


@dataclass(frozen=True)
class Thing:
    """One thing of a shop."""

    number: int
    title: str
    text: str
    price: int

    def has(self, words: Sequence[str]) -> bool:
        own = f"{self.title} {self.text}".lower()
        return all(word in own for word in words)


def things(count: int = 400, seed: int = 1) -> list[Thing]:
    """Things that are the same in every run."""
    choose = random.Random(seed).choice
    made = []
    for number in range(count):
        thing, place, kind = choose(THINGS), choose(PLACES), choose(KINDS)
        text = choose(DOINGS).format(
            thing=choose(THINGS), place=choose(PLACES), kind=choose(KINDS)
        )
        made.append(
            Thing(
                number,
                f"The {kind} {thing} of the {place}, no. {number}",
                text,
                5 + number * 7 % 90,
            )
        )
    return made


Layout = Callable[[str, Sequence[tuple[Thing, str]]], str]
"""The results of a page as HTML: the query, and each thing with its link."""


def as_list(query: str, found: Sequence[tuple[Thing, str]]) -> str:
    hits = "".join(
        f"<li class=hit><h3><a href='{link}'>{escape(thing.title)}</a></h3><p>{escape(thing.text)}</p>"
        f"<span class=price>€{thing.price}.00</span></li>"
        for thing, link in found
    )
    return f"<ol class=hits>{hits}</ol>"


def as_table(query: str, found: Sequence[tuple[Thing, str]]) -> str:
    rows = "".join(
        f"<tr class={'odd' if place % 2 else 'even'}><td>{thing.number}</td><td><a href='{link}'>{escape(thing.title)}</a>"
        f"<br><small>{escape(thing.text)}</small></td><td>{thing.price},00 EUR</td></tr>"
        for place, (thing, link) in enumerate(found)
    )
    return f"<table border=1><tr><th>No.</th><th>What</th><th>Price</th></tr>{rows}</table>"


def as_terms(query: str, found: Sequence[tuple[Thing, str]]) -> str:
    pairs = "".join(
        f"<dt><a href='{link}'><b>{escape(thing.title)}</b></a></dt><dd>{escape(thing.text)}<br><i>{link}</i></dd>"
        for thing, link in found
    )
    return f"<dl>{pairs}</dl>"


def as_grid(query: str, found: Sequence[tuple[Thing, str]]) -> str:
    """Products in three columns, each a picture, a name and a price."""
    cards = "".join(
        f"<div class=card style='width:30%;float:left'><a href='{link}'><img src='/pictures/{thing.number % 7}.png' alt='' "
        f"width=120 height=90></a><div class=name><a href='{link}'>{escape(thing.title)}</a></div>"
        f"<div class=cost>$ {thing.price}.95</div><button>Add to basket</button></div>"
        for thing, link in found
    )
    return f"<div class=grid>{cards}</div>"


def as_articles(query: str, found: Sequence[tuple[Thing, str]]) -> str:
    """What a redesign makes of a list: other elements, other classes, another order of
    the parts.
    """
    parts = "".join(
        f"<article class='result r-{thing.number % 3}'><div class=top><span>€ {thing.price}</span></div><section>"
        f"<h2 class=headline><a class=go href='{link}'><span>{escape(thing.title)}</span></a></h2>"
        f"<div class=summary>{escape(thing.text)}</div></section></article>"
        for thing, link in found
    )
    return f"<section id=answers><div class=inner>{parts}</div></section>"


def as_echo(query: str, found: Sequence[tuple[Thing, str]]) -> str:
    """Every record says what was asked for, once in the title's place and once below."""
    parts = "".join(
        f"<div class=row><p class=asked>You asked for <b>{escape(query)}</b></p>"
        f"<h4><a href='{link}'>{escape(thing.title)}</a></h4><p>{escape(thing.text)}</p>"
        f"<p><a href='/more?q={quote_plus(query)}'>More like {escape(query)}</a></p></div>"
        for thing, link in found
    )
    return f"<div class=rows>{parts}</div>"


LAYOUTS: tuple[Layout, ...] = (
    as_list,
    as_table,
    as_terms,
    as_grid,
    as_articles,
    as_echo,
)


@dataclass
class Shop:
    """A site with a search form, result pages, a page for each thing, and a page that
    says that nothing was found.
    """

    things: Sequence[Thing] = field(default_factory=things)
    layout: Layout = as_list
    method: str = "get"
    charset: str = "utf-8"
    size: int = 10
    field_name: str = "q"
    links: str = "/item/{number}"
    """Where things are; with a host for things that several shops have."""
    nothing: str = "<p class=none>Sorry, nothing was found for your words.</p>"

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/":
            return self.page("Everything for the farm", self.front())
        if asked.path == "/search":
            return self.answer(asked)
        if asked.path.startswith("/item/"):
            return self.item(asked)
        return no_such_page(asked)

    def find(self, query: str) -> list[Thing]:
        words = query.lower().split()
        return [thing for thing in self.things if thing.has(words)] if words else []

    def truth(self, query: str, base: str, page: int = 0) -> list[Item]:
        """What a result page must give."""
        return [
            Item(thing.title, self.link(thing, base))
            for thing in self.find(query)[page * self.size :][: self.size]
        ]

    def link(self, thing: Thing, base: str = "") -> str:
        link = self.links.format(number=thing.number)
        return base + link if link.startswith("/") else link

    def answer(self, asked: Asked) -> Reply:
        values = asked.values(self.charset)
        query, start = (
            values.get(self.field_name, ""),
            max(int(values.get("start") or 0), 0),
        )
        found = self.find(query)
        if not found:
            return self.page(f"Nothing for {query}", self.form(query) + self.nothing)
        shown = [
            (thing, self.link(thing)) for thing in found[start : start + self.size]
        ]
        count = f"<p class=count>{start + 1}-{start + len(shown)} of {len(found)} things</p>"
        return self.page(
            f"Results for {query}",
            self.form(query)
            + count
            + self.layout(query, shown)
            + self.pager(query, start, len(found)),
        )

    def pager(self, query: str, start: int, count: int) -> str:
        """Links to the pages, where the query can be sent by GET."""
        if self.method != "get" or count <= self.size:
            return ""
        sent = f"/search?{self.field_name}={quote(query, encoding=self.charset)}&amp;start="
        numbers = " ".join(
            f"<b>{at // self.size + 1}</b>"
            if at == start
            else f"<a href='{sent}{at}'>{at // self.size + 1}</a>"
            for at in range(0, count, self.size)
        )
        after = (
            f" <a rel=next href='{sent}{start + self.size}'>Next page</a>"
            if start + self.size < count
            else ""
        )
        return f"<div class=pages>{numbers}{after}</div>"

    def form(self, query: str = "", hidden: str = "") -> str:
        return (
            f"<form action='/search' method={self.method}>{hidden}<input type=text name={self.field_name} "
            f"value='{escape(query, quote=True)}'> <select name=order><option value=best selected>best first<option value=new>"
            "newest first</select> <input type=submit name=go value='Search'></form>"
        )

    def front(self) -> str:
        featured = "".join(
            f"<li><a href='{self.link(thing)}'>{escape(thing.title)}</a></li>"
            for thing in self.things[:: max(len(self.things) // 12, 1)]
        )
        return f"<h1>Everything for the farm</h1>{self.form()}<p>Some of what we keep:</p><ul>{featured}</ul>"

    def item(self, asked: Asked) -> Reply:
        number = asked.path.removeprefix("/item/")
        for thing in self.things:
            if str(thing.number) == number:
                return self.page(
                    thing.title,
                    f"<h1>{escape(thing.title)}</h1><p>{escape(thing.text)}</p><p>€{thing.price}</p>{self.form()}",
                )
        return no_such_page(asked)

    def page(self, title: str, content: str, status: int = 200) -> Reply:
        menu = "".join(
            f"<li><a href='/{name}'>{name.title()}</a></li>"
            for name in ("about", "basket", "help", "contact")
        )
        html = (
            f"<!DOCTYPE html><html lang=en><head><meta charset={self.charset}><title>{escape(title)}</title></head><body>"
            f"<div id=menu><ul>{menu}</ul></div><div id=main>{content}</div>"
            "<div id=foot>Open from May to October.</div></body></html>"
        )
        return Reply(
            html.encode(self.charset, "xmlcharrefreplace"),
            status,
            f"text/html; charset={self.charset}",
        )
