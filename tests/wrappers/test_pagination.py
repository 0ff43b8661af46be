"""Where a list goes on: found by what pages say of their next page, and never by what
only looks like it.
"""

from __future__ import annotations

import pytest
from hypothesis import given

from markup import pages
from scythe.sections.span import Span
from scythe.tree import parse
from scythe.wrappers.pagination import next_page

HERE = "https://shop.example/list?q=rake&page=2"
RECORDS = (
    "<ul>"
    + "".join(f"<li><a href=/item/{i}>Rake {i}</a></li>" for i in range(1, 6))
    + "</ul>"
)


def following(html: str, url: str | None = HERE) -> str | None:
    tree = parse(f"{RECORDS}{html}")
    spans = [
        Span(node, int(tree.end[node]))
        for node in range(len(tree))
        if tree.name(node) == "li"
    ][:5]
    return next_page(tree, spans, url)


@pytest.mark.parametrize(
    "link",
    [
        "<a rel='nofollow next' href='?q=rake&page=3'>go</a>",
        "<a href='?q=rake&page=3'>Next</a>",
        "<a href='?q=rake&page=3'>NEXT 10 »</a>",
        "<a href='?q=rake&page=3'><span>Weiter</span> ›</a>",
        "<a href='?q=rake&page=3'>\n  page   suivante\n</a>",
        "<a href='?q=rake&page=3'>下一页 ></a>",
        "<a href='?q=rake&page=3'>Следующая</a>",
        "<a href='?q=rake&page=3'>次へ</a>",
        "<a href='?q=rake&page=3' aria-label='Next page'><svg><path/></svg></a>",
        "<a href='?q=rake&page=3' title='Siguiente'>›</a>",
        "<a href='?q=rake&page=3'><img alt='Next' src=arrow.png></a>",
        "<a href='?q=rake&page=3' class='pagination-next'></a>",
        "<a href='?q=rake&page=3' class='pagnNext'></a>",
        "<li class='pager__item next'><a href='?q=rake&page=3'>»</a>",
        "<p><a href='?q=rake'>1</a> 2 <a href='?q=rake&page=3'>»</a>",
        "<p><a href='?q=rake'>1</a> <b>2</b> <a href='?q=rake&page=3'>3</a> <a href='?q=rake&page=4'>4</a>",
        "<p><a href='?q=rake'>[1]</a> <b>[2]</b> <a href='?q=rake&page=3'>[3]</a> <a href='?q=rake&page=4'>[4]</a>",
        "<p><a href='?q=rake'>1</a> [2] <a href='?q=rake&page=3'>3</a>",
        "<p><a href='?a'>1</a> <a href='?b' aria-current=page>2</a> <a href='?q=rake&page=3'>3</a>",
        "<ol><li><a href='?a'>1</a><li class=active><a href='?b'>2</a><li><a href='?q=rake&page=3'>3</a></ol>",
        "<p><a href='?q=rake'>1</a> <a href='?q=rake&page=2'>2</a> <a href='?q=rake&page=3'>3</a>",
        "<p><a href='?page=4&q=rake'>further</a> <a href='?q=rake&page=3'>go on</a>",
        "<p><a href='?q=rake'>1</a> 2 <a href='?q=rake&page=3'>3</a> <a href='?q=rake&page=9'>▶</a>",
        "<link rel=next href='?q=rake&page=3'>",
    ],
)
def test_the_next_page_is_found(link: str) -> None:
    assert following(f"<div>{link}</div>") == "https://shop.example/list?q=rake&page=3"


@pytest.mark.parametrize(
    "link",
    [
        "<a href='#'>Next</a>",
        "<a href='#slide-2'>›</a>",
        "<a href='javascript:next()'>Next</a>",
        "<a>Next</a>",
        "<a href=''>Next</a>",
        "<a href='?q=rake&page=2'>Next</a>",
        "<a href='?q=rake&page=2#top' rel=next>Next</a>",
        "<a class=disabled href='?q=rake&page=3'>Next</a>",
        "<a aria-disabled=true href='?q=rake&page=3'>Next</a>",
        "<a class=carousel-control-next href='/slide?2'></a>",
        "<a href='https://elsewhere.example/list?page=3'>Next</a>",
        "<a href='https://[broken/3'>Next</a>",
        "<a href=/news>What comes next in rakes</a>",
        "<a href=/more>More »</a>",
        "<a href=/up>»</a>",
        "<p>Per page: <b>10</b> <a href='?n=20'>20</a> <a href='?n=50'>50</a>",
        "<p><a href='?q=rake'>1</a> <b>2</b>",
        "<a href='?q=rake&page=1'>back</a>",
        "<a href='?q=hoe&page=3'>hoes</a>",
        "<table><tr>"
        + "".join(
            f"<td><a href=/day/{day}>{day}</a>"
            for day in (*range(1, 11), *range(12, 29))
        )
        + "<td>11</table>",
    ],
)
def test_what_only_looks_like_it_is_not_taken(link: str) -> None:
    assert following(f"<div>{link}</div>") is None


def test_a_link_in_a_record_is_never_the_next_page() -> None:
    tree = parse("<div><a href=/a>Next</a></div><div><a href=/b>Next</a></div>")
    spans = [
        Span(node, int(tree.end[node]))
        for node in range(len(tree))
        if tree.name(node) == "div"
    ]
    assert next_page(tree, spans, None) is None
    assert next_page(tree, spans[:1], None) == "/b"


def test_of_several_the_one_behind_the_records_is_taken() -> None:
    tree = parse(
        f"<nav><a href=/other>Next</a></nav>{RECORDS}<a href=/on>Next</a><footer><a href=/late>Next</a></footer>"
    )
    spans = [
        Span(node, int(tree.end[node]))
        for node in range(len(tree))
        if tree.name(node) == "li"
    ]
    assert next_page(tree, spans, None) == "/on"


def test_without_the_address_of_the_page_the_link_is_as_it_stands() -> None:
    assert following("<a href='?page=3'>Next</a>", None) == "?page=3"


def test_the_base_of_the_page_counts() -> None:
    page = "<base href=/deep/er/>" + RECORDS + "<a href=3>Next</a>"
    assert (
        next_page(parse(page), [], "https://shop.example/list")
        == "https://shop.example/deep/er/3"
    )


@given(pages)
def test_any_page_gives_an_answer(html: str) -> None:
    next_page(parse(html), [], HERE)
