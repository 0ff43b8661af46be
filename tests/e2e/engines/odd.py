"""What makes engines odd, one thing at a time: each function puts one oddity around a
shop.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html import escape

from .serving import Asked, Reply, Site
from .shop import Shop, Thing, as_articles, as_echo, as_grid, as_list, as_terms, things

GERMAN = "Sense Heugabel Wetzstein Brücke Mühle Käse Füße Straße Gemüse Äcker Öfen Löffel Schüssel Gärten Büsche Hühner Kühe".split()
CHINESE = "镰刀 农具 草地 谷仓 磨坊 果园 村庄 梯田 水桶 篮子 灯笼 水壶 马车 铁锤 花园 厨房".split()


# The shop itself


@dataclass
class TokenShop(Shop):
    """A form with a hidden token that is good for one search, and only with the cookie
    it came with.
    """

    method: str = "post"
    tokens: dict[str, str] = field(default_factory=dict)
    counter: itertools.count[int] = field(default_factory=itertools.count)

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/":
            session, token = f"s{next(self.counter)}", f"t{next(self.counter)}"
            self.tokens[session] = token
            front = self.page(
                "Everything for the farm",
                self.form(hidden=f"<input type=hidden name=token value={token}>"),
            )
            return replace(
                front, headers=(("Set-Cookie", f"session={session}; Path=/"),)
            )
        if asked.path == "/search":
            token = self.tokens.pop(asked.cookies.get("session", ""), "")
            if not token or asked.values().get("token") != token:
                return self.page(
                    "Expired",
                    "<h1>Your form has expired</h1><p>Go back to the first page and try again.</p>",
                    403,
                )
        return super().__call__(asked)


@dataclass
class JumpingShop(Shop):
    """A query that fits one thing alone leads to the page of that thing."""

    def answer(self, asked: Asked) -> Reply:
        found = self.find(asked.values().get(self.field_name, ""))
        if len(found) == 1:
            return Reply("", 302, headers=(("Location", self.link(found[0])),))
        return super().answer(asked)


@dataclass
class SuggestingShop(Shop):
    """A page that found nothing shows other things, in the layout of results."""

    def answer(self, asked: Asked) -> Reply:
        query = asked.values().get(self.field_name, "")
        if self.find(query):
            return super().answer(asked)
        others = self.layout(
            query, [(thing, self.link(thing)) for thing in self.things[3:9]]
        )
        return self.page(
            "Nothing found",
            f"{self.form(query)}<p>Nothing was found.</p><h2>You may like</h2>{others}",
        )


@dataclass
class ScriptedShop(Shop):
    """Results that a script asks for and puts into an empty page: the first ten."""

    def pager(self, query: str, start: int, count: int) -> str:
        return ""

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/api":
            found = [
                (thing, self.link(thing))
                for thing in self.find(asked.values().get("q", ""))[: self.size]
            ]
            html = self.layout("", found) if found else self.nothing
            return Reply(json.dumps({"html": html}), kind="application/json")
        return super().__call__(asked)

    def answer(self, asked: Asked) -> Reply:
        query = asked.values().get(self.field_name, "")
        script = (
            "<div id=results></div><script>fetch('/api' + location.search).then(answer => answer.json())"
            ".then(found => { document.getElementById('results').innerHTML = found.html })</script>"
        )
        return self.page("Results", self.form(query) + script)


@dataclass
class ScriptedForm(Shop):
    """A search box that a script builds, without which the page has none."""

    def form(self, query: str = "", hidden: str = "") -> str:
        written = json.dumps(super().form(query, hidden)).replace("</", "<\\/")
        return f"<div id=box></div><script>document.getElementById('box').innerHTML = {written}</script>"


def foreign(charset: str, words: Sequence[str]) -> Shop:
    """A shop in another language, whose form is read in the charset of its pages."""
    choose = random.Random(7).choice
    made = [
        Thing(
            number,
            f"{choose(words)} {choose(words)} {number}",
            f"{choose(words)}, {choose(words)}; {choose(words)}.",
            number % 80,
        )
        for number in range(300)
    ]
    return Shop(made, charset=charset)


def latin_shop() -> Shop:
    return foreign("iso-8859-1", GERMAN)


def chinese_shop() -> Shop:
    return foreign("gbk", CHINESE)


# Around the shop


def needs_cookie(site: Site) -> Site:
    """Only those who have been on the first page may search."""

    def answer(asked: Asked) -> Reply | None:
        if asked.path == "/":
            first = site(asked)
            return first and replace(
                first, headers=(*first.headers, ("Set-Cookie", "visitor=1; Path=/"))
            )
        if asked.path == "/search" and "visitor" not in asked.cookies:
            return Reply("", 302, headers=(("Location", "/"),))
        return site(asked)

    return answer


def with_robots(site: Site, rules: str) -> Site:
    """With a robots.txt."""
    return lambda asked: (
        Reply(rules, kind="text/plain") if asked.path == "/robots.txt" else site(asked)
    )


def captcha_after(site: Site, count: int) -> Site:
    """A bot check instead of results once `count` searches have been made."""
    searches = itertools.count(1)
    page = (
        "<!DOCTYPE html><html><head><title>Are you a robot?</title></head><body><h1>Unusual traffic from your network</h1>"
        "<p>Please complete the captcha to show that you are human.</p><form action=/check method=post>"
        "<div class=g-recaptcha data-sitekey=none></div><input type=submit value=Verify></form></body></html>"
    )

    def answer(asked: Asked) -> Reply | None:
        return (
            Reply(page, 200)
            if asked.path == "/search" and next(searches) > count
            else site(asked)
        )

    return answer


def limited_after(site: Site, count: int, wait: int) -> Site:
    """429 with `Retry-After` once `count` searches have been made."""
    searches = itertools.count(1)

    def answer(asked: Asked) -> Reply | None:
        if asked.path == "/search" and next(searches) > count:
            return Reply(
                "<title>Slow down</title><p>Too many requests.</p>",
                429,
                headers=(("Retry-After", str(wait)),),
            )
        return site(asked)

    return answer


def slow(site: Site, seconds: float) -> Site:
    """Every page takes its time."""

    def answer(asked: Asked) -> Reply | None:
        asked.stopping.wait(seconds)
        return site(asked)

    return answer


def hanging(asked: Asked) -> Reply | None:
    """A site that takes requests and never answers."""
    asked.stopping.wait(60)
    return None


def login_wall(asked: Asked) -> Reply:
    """A site that shows nothing but a login."""
    return Reply(
        "<!DOCTYPE html><html><head><title>Log in</title></head><body><h1>Members only</h1><form action=/login method=post>"
        "<label>User name <input name=user></label><label>Password <input type=password name=password></label>"
        "<button>Log in</button></form><p><a href=/lost>Forgot your password?</a></p></body></html>"
    )


def no_form(asked: Asked) -> Reply:
    """A page that one can only read."""
    text = "".join(f"<p>{escape(thing.text)}</p>" for thing in things(8))
    return Reply(
        f"<!DOCTYPE html><html><head><title>On tools</title></head><body><h1>On tools</h1>{text}</body></html>"
    )


# Many shops with the same things


MAKES = (as_list, as_terms, as_grid, as_articles, as_echo)
COMMON = "https://things.example/item/{number}"


def overlapping_shops(count: int = 20) -> list[Shop]:
    """Shops that share a stock: each has a part of it, in an order of its own, and
    links to the same addresses.
    """
    stock = things(300, seed=5)
    shops = []
    for number in range(count):
        part = random.Random(number).sample(stock, 200)
        shops.append(Shop(part, MAKES[number % len(MAKES)], links=COMMON))
    return shops
