"""Wrappers from values that a person sees on a page."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import scythe
from scythe.errors import UsageError
from scythe.sections.section import Section
from scythe.sections.span import Span
from scythe.tree import parse
from scythe.wrappers.examples import Example, ExamplePage, parse_example


def shop_page(start: int, number: int = 8) -> str:
    """A page with a list of tools, and a longer list of news beside it."""
    tools = "".join(
        f"<div class=tool><b>Tool {n}</b><i>{n}.90</i><em>in stock {n}</em></div>"
        for n in range(start, start + number)
    )
    news = "".join(
        f"<li><h3><a href=/news/{n}>News of the farm, part {n}</a></h3>"
        f"<p>Some words on hay and on all that was mown on day {n} of the year.</p></li>"
        for n in range(start, start + 12)
    )
    return f"<h1>Farm</h1><div id=tools>{tools}</div><ul id=news>{news}</ul>"


PAGES = [shop_page(10), shop_page(30), shop_page(50)]


def values(wrapper: scythe.Wrapper, page: str) -> list[dict[str, object]]:
    return [dict(record.fields) for record in wrapper.extract(page)]


@pytest.mark.parametrize("pages", [PAGES[:1], PAGES])
def test_two_values_of_a_record_give_its_list_and_columns(pages: Sequence[str]) -> None:
    wrapper = scythe.learn(
        pages, render=False, examples={"tool": "Tool 12", "price": "12.90"}
    )
    found = values(wrapper, shop_page(70, 5))
    assert found[0] == {"tool": "Tool 70", "price": "70.90"}
    assert len(found) == 5


def test_examples_need_no_names_and_may_be_of_two_records() -> None:
    wrapper = scythe.learn(
        PAGES, render=False, examples=["News of the farm, part 13", "15 of the year"]
    )
    assert "title" in wrapper.fields.columns
    assert len(wrapper.extract(PAGES[2])) == 12


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        (["Tool 99"], "No page shows 'Tool 99'"),
        ([" "], "empty"),
        ([], "empty"),
    ],
)
def test_what_cannot_be_learned_says_why(
    examples: list[str] | dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        scythe.learn(PAGES, render=False, examples=examples)


def test_names_stand_before_the_value() -> None:
    assert parse_example("price=19.90") == Example("19.90", "price")
    assert parse_example("https://a.example/?q=1") == Example(
        "https://a.example/?q=1", None
    )


def hit(number: int, badge: str = "", box: str = "text") -> str:
    """A result with the address that it leads to, its source in brackets, and a badge."""
    address = f"https://a.example/{number}"
    return (
        f"<li class=hit><article class={box}><h3>{badge}<a href={address}>Hay {number}"
        f"</a> (Farm {number})</h3><cite>{address}</cite></article>"
        f"<p>All that is known of hay and of mowing it on day {number}.</p></li>"
    )


def hits(badge: str = "", box: str = "text") -> str:
    items = "".join(hit(n) for n in range(10, 18))
    return f"<ol>{items}{hit(18, badge, box)}</ol>"


def test_a_value_may_be_several_columns_in_one() -> None:
    page = hits(badge="<span class=kind>[PDF]</span>")
    wrapper = scythe.learn([page], render=False, examples={"title": "Hay 12 (Farm 12)"})
    titles = [row["title"] for row in values(wrapper, page)]
    assert titles[2] == "Hay 12 (Farm 12)"
    assert titles[8] == "[PDF]Hay 18 (Farm 18)"


def test_a_text_that_is_also_an_address_is_the_text() -> None:
    page = hits()
    wrapper = scythe.learn(
        [page],
        render=False,
        examples={"title": "Hay 12", "address": "https://a.example/12"},
    )
    changed = page.replace("<cite>https://a.example/13", "<cite>a.example › 13")
    assert values(wrapper, changed)[3]["address"] == "a.example › 13"


def test_a_column_is_also_read_in_boxes_of_another_class() -> None:
    page = hits(box="video")
    wrapper = scythe.learn([page], render=False, examples={"name": "Hay 12"})
    names = [row.get("name") for row in values(wrapper, page)]
    assert names == [f"Hay {n}" for n in range(10, 19)]


def test_values_of_different_columns_are_of_one_record() -> None:
    tree = parse("<p><b>Rake</b><i>1.90</i></p><p><b>Hoe</b><i>2.90</i></p>")
    rows = [node for node in range(len(tree)) if tree.name(node) == "p"]
    cells = [node for node in range(len(tree)) if tree.name(node) in ("b", "i")]

    def section(nodes: list[int]) -> Section:
        spans = tuple(Span(node, int(tree.end[node])) for node in nodes)
        return Section(spans, 0.8)

    named = [Example("Rake", "tool"), Example("1.90", "price")]
    page = ExamplePage(tree, named)
    whole, parts = page.with_examples([section(rows), section(cells)])
    assert (whole.confidence, parts.confidence) == (0.8, 0.4)

    unnamed = ExamplePage(tree, [Example("Rake", None), Example("Hoe", None)])
    assert unnamed.with_examples([section(rows)]) == [section(rows)]
