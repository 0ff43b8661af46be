"""List pages of a made-up shop, written for the tests: results with advertisements
between them, a side bar and a pager.
"""

from __future__ import annotations

from collections.abc import Sequence

TOOLS = {
    "scythe": [
        "Austrian scythe blade",
        "Scythe snath of ash",
        "Whetstone for scythes",
        "Peening jig",
        "Grass cradle",
        "Bush scythe",
    ],
    "rake": [
        "Wooden hay rake",
        "Bow rake with steel head",
        "Leaf rake",
        "Landscape rake, wide",
        "Hand rake",
        "Rake handle",
    ],
    "spade": [
        "Digging spade",
        "Drain spade, narrow",
        "Border spade",
        "Folding spade",
        "Spade with ash shaft",
    ],
    "fork": [
        "Hay fork with three tines",
        "Digging fork",
        "Border fork",
        "Manure fork",
        "Compost fork",
        "Fork handle",
        "Hand fork",
    ],
}


def result(name: str, number: int) -> str:
    return f"""<div class="hit">
      <h3><a href="/item/{name.split()[0].lower()}-{number}">{name}</a></h3>
      <p class="about">A {name.lower()} made by hand in our own forge, number {number} of this year's list.</p>
      <span class="price">${20 + 7 * number}.50</span> <span class="stock">{number + 3} in stock</span>
    </div>"""


def advertisement(number: int) -> str:
    return f'<div class="hit promo"><a href="https://ads.example/{number}">Garden insurance, from 3 a month</a></div>'


def result_page(
    query: str, names: Sequence[str], *, advertised: Sequence[int] = ()
) -> str:
    rows = []
    for number, name in enumerate(names):
        if number in advertised:
            rows.append(advertisement(number))
        rows.append(result(name, number))
    return page(
        query,
        f'<p class="count">{len(names)} results for {query}</p><div class="hits">{"".join(rows)}</div>{pager(query)}',
    )


def no_result_page(query: str) -> str:
    return page(
        query, f'<p class="count">Nothing was found for {query}. Try fewer words.</p>'
    )


def pager(query: str) -> str:
    links = "".join(
        f'<a href="/search?q={query}&amp;page={number}">{number}</a> '
        for number in (2, 3, 4)
    )
    return f'<div class="pager"><b>1</b> {links}<a href="/search?q={query}&amp;page=2">Next</a></div>'


def page(query: str, main: str) -> str:
    links = "".join(
        f'<li><a href="/{name}">{name.title()}</a></li>'
        for name in ("home", "tools", "seeds", "visits", "contact")
    )
    posts = "".join(
        f'<li><a href="/blog/{number}">How we mow, part {number}</a></li>'
        for number in range(1, 7)
    )
    return f"""<!DOCTYPE html><html lang="en"><head><title>{query} - The Tool Shed</title></head><body>
    <div class="top"><ul class="menu">{links}</ul>
    <form action="/search"><input name="q" value="{query}"><button>Search</button></form></div>
    <div class="main">{main}</div>
    <div class="side"><h4>From our blog</h4><ul>{posts}</ul></div>
    <div class="foot"><p>The Tool Shed, 12 Mill Lane. All prices with tax.</p></div></body></html>"""
