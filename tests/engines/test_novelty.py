"""What only result pages have."""

from __future__ import annotations

from scythe.engines.discovery.novelty import Novelty
from scythe.sections.span import Span
from scythe.tree import parse

URL = "http://site.example/search"
MENU = "<nav><a href=/home>Home page</a> <a href=/about>About us</a></nav>"


def page(query: str, results: str, empty: Novelty | None = None) -> Novelty:
    echo = f"<p>You asked the library for {query}, in any order.</p><a href='?q={query}&sort=new'>Newest first</a>"
    return Novelty(parse(f"{MENU}{echo}{results}"), URL, query, empty)


EMPTY = page("xqzvk", "<p>Sorry, nothing was found for these words.</p>")
RESULTS = "".join(
    f"<li><a href=/book/{n}>Book number {n}</a><p>A long text on what stands in book {n}.</p></li>"
    for n in range(5)
)


def test_links_and_lines_of_results_are_new() -> None:
    news = page("garden", f"<ul>{RESULTS}</ul>", EMPTY)
    assert [news.tree.attributes(node)["href"] for node in news.new_links] == [
        f"/book/{n}" for n in range(5)
    ]
    assert len(news.new_lines) == 5
    assert news.records == 5
    assert news.is_enough


def test_what_repeats_the_query_is_not_new() -> None:
    news = page("library", "<p>Sorry, nothing was found for these words.</p>", EMPTY)
    assert (news.new_links, news.records) == ([], 0)
    assert page("home page", "", EMPTY).records == 0


def test_records_are_judged_by_what_is_new() -> None:
    news = page(
        "garden", f"<ul>{RESULTS}</ul><p><a href='?q=garden&page=2'>2</a></p>", EMPTY
    )
    items = [
        Span(node, int(news.tree.end[node]))
        for node in range(len(news.tree))
        if news.tree.name(node) == "li"
    ]
    menu = [
        Span(node, int(news.tree.end[node]))
        for node in range(len(news.tree))
        if news.tree.name(node) == "a"
    ][:2]
    assert news.agreement(items) == 1.0
    assert news.agreement(menu) == 0.0
    assert 0.5 < news.agreement([*items, *menu]) < 1.0
    assert 0.5 < news.agreement(items[:3]) < 1.0
    assert news.agreement([]) == 0.0


def test_records_without_links_are_judged_by_their_text() -> None:
    rows = "".join(
        f"<tr><td>{n}</td><td>A long text on what stands in row {n}.</td></tr>"
        for n in range(5)
    )
    news = page("garden", f"<table>{rows}</table>", EMPTY)
    spans = [
        Span(node, int(news.tree.end[node]))
        for node in range(len(news.tree))
        if news.tree.name(node) == "tr"
    ]
    assert news.agreement(spans) == 1.0
