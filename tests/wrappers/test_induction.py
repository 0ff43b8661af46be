"""Rules from several pages."""

from __future__ import annotations

from scythe.tree import parse
from scythe.tree.tree import Tree
from scythe.wrappers.learn import learn_from


def striped(numbers: list[int]) -> Tree:
    """A page of a small shop: a heading row, and rows whose colours alternate."""
    rows = "".join(
        f"<tr class={'odd' if index % 2 else 'even'}><td>{n}</td><td><a href=/item/{n}>The thing of number {n}</a><br>"
        f"<small>What there is to say about {n * 7} of it.</small></td><td>{n},00 EUR</td></tr>"
        for index, n in enumerate(numbers)
    )
    table = f"<table border=1><tr><th>No.</th><th>What</th><th>Price</th></tr>{rows}</table>"
    return parse(
        f"<ul><li><a href=/a>About</a><li><a href=/b>Basket</a></ul><form><input name=q></form><div id=main>{table}</div>"
    )


def test_things_that_several_queries_find_are_no_menu() -> None:
    pages = [
        striped(numbers)
        for numbers in (
            [1, 2, 3, 4, 5],
            [4, 5, 6, 7, 8, 9, 2],
            [1, 3, 7, 9, 10, 11],
            [2, 6, 8, 12, 13, 11],
        )
    ]
    wrapper = learn_from(pages)
    assert [len(wrapper.rule.cut(page)) for page in pages] == [5, 7, 6, 6]
    assert str(wrapper.rule) == str(learn_from(pages).rule)
