"""Any input becomes a valid tree; limits cut, and the tree says so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

import scythe
from markup import pages
from scythe.content.extract import Method
from scythe.errors import UsageError
from scythe.tree import Limits, Tree, parse


def naive_structure(tree: Tree) -> tuple[list[int], list[int]]:
    """Parents and depths by walking with a stack of open nodes."""
    stack: list[int] = []
    parents, depths = [], []
    for node in range(len(tree)):
        while stack and tree.end[stack[-1]] <= node:
            stack.pop()
        parents.append(stack[-1] if stack else -1)
        depths.append(len(stack))
        stack.append(node)
    return parents, depths


def assert_valid(tree: Tree) -> None:
    assert (
        len(tree)
        == len(tree.parent)
        == len(tree.end)
        == len(tree.depth)
        == len(tree.text)
    )
    assert tree.name(0) == "html"
    assert (tree.end > tree.starts).all()
    assert tree.end[0] == len(tree)
    inner = tree.parent[1:]
    assert (tree.end[1:] <= tree.end[inner]).all()
    parents, depths = naive_structure(tree)
    assert tree.parent.tolist() == parents
    assert tree.depth.tolist() == depths
    assert all(not tree.text[node] for node in np.flatnonzero(~tree.is_text))


@given(pages)
def test_arrays_form_a_tree_for_any_markup(html: str) -> None:
    assert_valid(parse(html))


@given(st.binary(max_size=400))
def test_arrays_form_a_tree_for_any_bytes(data: bytes) -> None:
    assert_valid(parse(data))


@given(pages, st.integers(1, 30), st.integers(1, 20))
def test_arrays_form_a_tree_under_any_limits(
    html: str, max_nodes: int, max_depth: int
) -> None:
    whole = parse(html)
    tree = parse(html, Limits(max_nodes=max_nodes, max_depth=max_depth))
    assert_valid(tree)
    assert len(tree) <= max_nodes
    assert tree.depth.max() <= max_depth
    assert "depth" in tree.cut or tree.depth.max() == whole.depth[: len(tree)].max()


@given(pages)
def test_tag_sequence_agrees_with_a_second_parser(html: str) -> None:
    html = "<!doctype html><html><head></head><body>" + html.replace(
        "template", "div"
    ).replace("\x00", "")
    tree = parse(html)
    root = LexborHTMLParser(html).root
    assert root is not None
    theirs = [
        node.tag for node in root.traverse(include_text=False) if node.tag != "-comment"
    ]
    ours = [tree.name(node) for node in range(len(tree)) if not tree.is_text[node]]
    assert ours == theirs


@given(pages)
def test_totals_agree_with_a_naive_sum(html: str) -> None:
    tree = parse(html)
    values = np.arange(len(tree), dtype=np.int32)
    expected = [int(values[node : tree.end[node]].sum()) for node in range(len(tree))]
    assert tree.totals(values).tolist() == expected


@given(pages, st.data())
def test_masks_below_and_above_agree_with_a_naive_walk(
    html: str, data: st.DataObject
) -> None:
    tree = parse(html)
    roots = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(tree), max_size=len(tree)))
    )
    below = [
        roots[node] or any(roots[up] for up in tree.ancestors(node))
        for node in range(len(tree))
    ]
    above = [bool(roots[node : tree.end[node]].any()) for node in range(len(tree))]
    assert tree.below(roots).tolist() == below
    assert tree.above(roots).tolist() == above


def test_what_the_limits_cut_is_named() -> None:
    assert parse("<p>x" * 100, Limits(max_nodes=50)).cut == ("nodes",)
    assert parse("<p>x" * 100, Limits(max_bytes=50)).cut == ("bytes",)
    deep = parse("<div>" * 90 + "text at the bottom", Limits(max_depth=20))
    assert deep.cut == ("depth",)
    assert "text at the bottom" in deep.text
    assert parse("<p>x").cut == ()


@pytest.mark.parametrize(
    "bad", [{"max_bytes": 0}, {"max_nodes": -1}, {"max_depth": 100_000}]
)
def test_impossible_limits_are_refused_with_advice(bad: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="Limits: max_"):
        Limits(**bad)


HOSTILE = {
    "deep": "<div>" * 100_000 + "x",
    "attributes": "<div " + " ".join(f"a{number}=1" for number in range(50_000)) + ">x",
    "misnested": "<b><i><u><a href=x><p>" * 4_000,
    "formatting": "<b><p>x" * 11_000,
    "colspan": "<table><tr><td colspan=9007199254740991 rowspan=9007199254740991>x</table>",
    "nul": "\x00<p>a\x00b\x00" * 1_000,
    "empty": "",
    "spaces": " \n\t ",
    "names": "".join(f"<x-{number}>" for number in range(40_000)),
    "unclosed": "<" * 50_000,
    "entities": "&" * 50_000,
    "comment": "<!--" + "-" * 50_000,
    "surrogate": "\ud800<p>x",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("method", ["auto", "econ", "econ+", "coreex", "lbda"])
def test_hostile_pages_get_an_answer(name: str, method: Method) -> None:
    document = scythe.extract(HOSTILE[name], method=method)
    assert isinstance(document.text, str)
    assert isinstance(document.status, scythe.Status)


@given(st.binary(max_size=300))
def test_any_bytes_can_be_extracted_and_rendered(data: bytes) -> None:
    document = scythe.extract(data)
    assert document.to_dict()["text"] == document.text


@given(pages)
def test_extraction_is_a_pure_function(html: str) -> None:
    first, second = scythe.extract(html).to_dict(), scythe.extract(html).to_dict()
    assert first == second


def test_attributes_one_by_one_and_by_column() -> None:
    tree = parse('<p class="a b" hidden id=x>text</p>')
    paragraph = tree.first_element("p")
    assert paragraph is not None
    assert dict(tree.attributes(paragraph)) == {"class": "a b", "hidden": "", "id": "x"}
    assert tree.attribute("id") == [None, None, None, "x", None]
    assert not tree.attributes(paragraph + 1)


def test_lone_surrogates_become_replacement_characters_and_pairs_one_character() -> (
    None
):
    assert "".join(parse("<p>a\ud800b\ud83d\ude00c").text) == "a\ufffdb\U0001f600c"


def test_template_content_is_no_part_of_the_page() -> None:
    tree = parse("<template><p>later</p></template><p>now</p>")
    assert [text for text in tree.text if text] == ["now"]
