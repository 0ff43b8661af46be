"""Paths lead back to their node, in the papers' notation and in today's."""

import lxml.html
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from markup import pages
from scythe.tree import parse
from scythe.tree.paths import (
    PathNode,
    compact_path,
    css_path,
    format_path,
    node_xpath,
    tag_path,
)

PAPER = "<html><head></head><body><img><center></center><hr><b></b><hr><dl><dt>1</dt></dl><dl><dt>2</dt></dl></body></html>"


def test_tag_path_as_in_the_paper() -> None:
    tree = parse(PAPER)
    first, second = (node for node in range(len(tree)) if tree.name(node) == "dt")
    assert (
        format_path(tag_path(tree, first))
        == "<html>C<head>S<body>C<img>S<center>S<hr>S<b>S<hr>S<dl>C"
    )
    assert (
        format_path(tag_path(tree, second))
        == "<html>C<head>S<body>C<img>S<center>S<hr>S<b>S<hr>S<dl>S<dl>C"
    )
    assert tag_path(tree, 0) == ()


def test_compact_path_by_the_three_rules() -> None:
    tree = parse(PAPER)
    prefix = tag_path(
        tree, next(node for node in range(len(tree)) if tree.name(node) == "dl")
    )
    assert format_path(compact_path(prefix)) == "<html>C<body>C"
    assert format_path(compact_path(prefix, {"hr"})) == "<html>C<body>C<hr>S<hr>S"
    steps = (
        PathNode("div", "S"),
        PathNode("p", "S"),
        PathNode("div", "C"),
        PathNode("p", "S"),
    )
    assert format_path(compact_path(steps)) == "<div>S<div>C"


@given(pages, st.data())
def test_xpath_leads_to_the_node(html: str, data: st.DataObject) -> None:
    tree = parse("<body>" + html)
    node = data.draw(st.integers(0, len(tree) - 1))
    position = 0
    for step in node_xpath(tree, node)[1:].split("/")[1:]:
        name, _, number = step.partition("[")
        wanted = "#text" if name == "text()" else name
        alike = [
            child for child in tree.children(position) if tree.name(child) == wanted
        ]
        position = alike[int(number[:-1]) - 1 if number else 0]
    assert position == node


def test_xpath_is_understood_by_lxml() -> None:
    html = "<html><head></head><body><div><p>a</p></div><div><p>b</p><p>c<b>d</b></p></div></body></html>"
    tree, other = parse(html), lxml.html.document_fromstring(html)
    bold = tree.first_element("b")
    assert bold is not None
    assert [element.text for element in other.xpath(node_xpath(tree, bold))] == ["d"]
    assert other.xpath(node_xpath(tree, bold + 1)) == ["d"]


@given(pages, st.data())
def test_css_selects_exactly_the_node(html: str, data: st.DataObject) -> None:
    html = "<!doctype html><html><head></head><body id=top>" + html.replace(
        "template", "div"
    ).replace("x-card", "div").replace("\x00", "")
    html = html.replace("svg", "div").replace("math", "div")
    tree = parse(html)
    elements = [node for node in range(len(tree)) if not tree.is_text[node]]
    position = data.draw(st.integers(0, len(elements) - 1))
    page = LexborHTMLParser(html)
    assert page.root is not None
    theirs = [
        node
        for node in page.root.traverse(include_text=False)
        if node.tag != "-comment"
    ]
    assert [node.mem_id for node in page.css(css_path(tree, elements[position]))] == [
        theirs[position].mem_id
    ]
