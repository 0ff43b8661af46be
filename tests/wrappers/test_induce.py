"""A rule is made from what all sample pages say together."""

from __future__ import annotations

from scythe.tree import parse
from scythe.tree.tree import Tree
from scythe.wrappers.induce import Sample, induce
from scythe.wrappers.reading import texts_of
from scythe.wrappers.sections import Section
from scythe.wrappers.span import Span

MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("hoes", "rakes", "spades", "forks"))


def page(*hits: str) -> Tree:
    rows = "".join(f"<li><a href=/{hit}>{hit}</a></li>" for hit in hits)
    return parse(f"<body><ul class=menu>{MENU}</ul><ol class=hits>{rows}</ol>")


def items_of(tree: Tree, tag: str) -> tuple[Span, ...]:
    home = tree.first(tag)
    assert home is not None
    return tuple(Span(item, int(tree.end[item])) for item in tree.children(home))


def sample(tree: Tree) -> Sample:
    """What a model says that is taken in by the menu."""
    return Sample(tree, [Section(items_of(tree, "ul"), 0.6), Section(items_of(tree, "ol"), 0.3)])


def test_what_all_pages_repeat_is_no_list_of_results() -> None:
    pages = [page("barley", "oats", "rye"), page("wheat", "millet", "spelt")]
    rule = induce([sample(tree) for tree in pages])
    assert rule is not None
    assert texts_of(pages[1], rule.cut(pages[1])) == ["wheat", "millet", "spelt"]


def test_a_page_given_twice_is_learned_from_as_if_given_once() -> None:
    once = page("barley", "oats", "rye")
    assert induce([sample(once), sample(once)]) == induce([sample(once)])
