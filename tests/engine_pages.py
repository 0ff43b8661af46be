"""A small search engine of our own: pages with results, with advertisements between
them, with none.
"""

from __future__ import annotations

from collections.abc import Iterator

WORDS = "barley scythe meadow harvest whetstone terrace granary orchard hayloft furrow sickle windrow thresher pasture".split()


def result(number: int, *, link: str = "/item/") -> str:
    """One record; every third has no date, every fourth no price."""
    one, other = WORDS[number % len(WORDS)], WORDS[(3 * number + 1) % len(WORDS)]
    date = (
        ""
        if number % 3 == 2
        else f"<span class=date>2024-05-{number % 28 + 1:02}</span>"
    )
    price = "" if number % 4 == 3 else f"<b class=price>€{number + 3}.50</b>"
    return (
        f"<li class='hit{' first' if number % 10 == 0 else ''}'>"
        f"<h3><a href='{link}{number}'>The {one} of {other} {number}</a></h3>"
        f"<p class=text>Some words on <em>{one}</em>, and on the {other} that goes with it, number {number}.</p>"
        f"<div class=meta>{date}{price}</div></li>"
    )


def result_page(page: int, pages: int = 3, size: int = 10) -> str:
    """A page of results with advertisements, menus and a pager."""
    hits = [result(page * size + place) for place in range(size)]
    hits.insert(
        3,
        "<li class=ad><h3><a href=/buy>Buy a mower today</a></h3><p class=text>Cheap and loud.</p></li>",
    )
    numbers = " ".join(
        f"<b>{n + 1}</b>" if n == page else f"<a href='/search?page={n}'>{n + 1}</a>"
        for n in range(pages)
    )
    following = (
        f"<a class=next href='/search?page={page + 1}'>Next »</a>"
        if page + 1 < pages
        else ""
    )
    return _page(
        f"<ol id=results>{''.join(hits)}</ol><div class=pager>{numbers} {following}</div>"
    )


def no_result_page() -> str:
    """What the engine says of words that nobody wrote."""
    return _page("<p>Nothing was found. Try fewer words, or others.</p>")


def row_page(page: int, size: int = 8) -> str:
    """Records of two table rows each, with no element of their own, in a table that
    does not write its `tbody`.
    """
    rows = "".join(
        f"<tr class=head><td><a href='/item/{n}'>The {WORDS[n % len(WORDS)]} number {n}</a></td></tr>"
        f"<tr class=more><td>Words on {WORDS[(n + 2) % len(WORDS)]} and more of them, {n} in all.</td></tr>"
        for n in range(page * size, page * size + size)
    )
    return _page(f"<table id=results>{rows}</table>")


def separated_page(page: int, size: int = 6) -> str:
    """Records with nothing around them, each ending in a rule."""
    records = "".join(
        f"<p><a href='/item/{n}'>The {WORDS[n % len(WORDS)]} number {n}</a></p><p>Words on it, {n} in all.</p><hr>"
        for n in range(page * size, page * size + size)
    )
    return _page(f"<div>{records}</div>")


def _page(content: str) -> str:
    menu = "".join(
        f"<li><a href='/{word}'>{word.title()}</a></li>"
        for word in ("home", "about", "help", "imprint")
    )
    return (
        "<!DOCTYPE html><html lang=en><head><title>Search</title></head><body>"
        f"<nav><ul>{menu}</ul></nav><form action=/search><input name=q></form><main>{content}</main>"
        "<footer>Made by hand.</footer></body></html>"
    )


def result_pages(count: int = 3) -> Iterator[str]:
    """The first pages of results."""
    return (result_page(page) for page in range(count))
