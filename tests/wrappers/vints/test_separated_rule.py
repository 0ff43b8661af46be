"""A rule cuts pages as expression (1) of the paper says, and is kept as text a person
can read.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.errors import UsageError
from scythe.tree import Tree, parse
from scythe.tree.paths import PathNode, tag_path
from scythe.wrappers.vints.rule import SeparatedRule, Separator, follow_prefix

LIST = (PathNode("html", "C"), PathNode("head", "S"), PathNode("body", "C"))


def texts(tree: Tree, rule: SeparatedRule) -> list[str]:
    return ["".join(tree.text[start:stop].tolist()) for start, stop in rule.cut(tree)]


def test_x_is_a_wild_card() -> None:
    tree = parse(
        "<body><h3>1</h3><p>a</p><hr><h3>2</h3><hr><h3>3</h3><p>b</p><p>c</p><hr>"
    )
    assert texts(tree, SeparatedRule(LIST, (Separator(("hr",)),))) == ["1a", "2", "3bc"]


def test_the_last_record_needs_no_separator_behind_it() -> None:
    tree = parse("<body><h3>1</h3><p>a</p><hr><h3>2</h3><p>b</p>")
    assert texts(tree, SeparatedRule(LIST, (Separator(("hr",)),))) == ["1a", "2b"]


def test_several_separators() -> None:
    tree = parse("<body><p>1</p><blockquote><p>2</p></blockquote><p>3</p><i>end</i>")
    assert texts(
        tree, SeparatedRule(LIST, (Separator(("p",)), Separator(("blockquote",))))
    ) == ["1", "2", "3"]


def test_records_are_numbered_from_one() -> None:
    tree = parse("<body>" + "".join(f"<p>{number}</p>" for number in range(1, 7)))
    assert texts(tree, SeparatedRule(LIST, (Separator(("p",)),), 2, 4)) == [
        "2",
        "3",
        "4",
    ]
    assert texts(tree, SeparatedRule(LIST, (Separator(("p",)),), 0, None)) == [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
    ]


def test_pieces_without_characters_are_no_records() -> None:
    tree = parse("<body><p>1</p><p> </p><p><script>x = 1</script></p><p>2</p>")
    assert texts(tree, SeparatedRule(LIST, (Separator(("p",)),))) == ["1", "2"]


def test_a_compact_prefix_leads_to_the_same_records() -> None:
    tree = parse(
        "<body><img><center>c</center><hr><b>head</b><hr><dl><dt>1</dt></dl><dl><dt>2</dt></dl>"
    )
    body = next(node for node in range(len(tree)) if tree.name(node) == "body")
    elder = tuple(PathNode(name, "S") for name in ("img", "center", "hr", "b", "hr"))
    rule = SeparatedRule(
        (*tag_path(tree, body), PathNode("body", "C"), *elder), (Separator(("dl",)),)
    )
    assert str(rule.compact()) == "<html>C<body>C(X(<dl>S))[0,∞]"
    assert texts(tree, rule) == texts(tree, rule.compact()) == ["1", "2"]


def test_a_page_of_another_kind_has_no_records() -> None:
    rule = SeparatedRule((*LIST, PathNode("table", "C")), (Separator(("tr",)),))
    assert rule.cut(parse("<body><p>nothing here</p>")) == []


def test_json_and_back() -> None:
    rule = SeparatedRule(
        (*LIST, PathNode("x-list", "C")),
        (Separator(("tr(td,td)", "tr()"), 1), Separator(("hr",))),
        1,
        9,
    )
    assert SeparatedRule.from_json(json.loads(json.dumps(rule.as_json()))) == rule


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"prefix": 1, "separators": [], "min": 0, "max": None},
        {"prefix": "html", "separators": [], "min": 0, "max": None},
        {
            "prefix": "<html>C",
            "separators": [{"forest": [], "depth": 0}],
            "min": 0,
            "max": None,
        },
        {
            "prefix": "<html>C",
            "separators": [{"forest": ["p"], "depth": "deep"}],
            "min": 0,
            "max": None,
        },
    ],
)
def test_a_broken_file_is_told(values: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        SeparatedRule.from_json(values)


@given(pages, st.data())
def test_paths_and_their_compact_forms_lead_to_their_node(
    html: str, data: st.DataObject
) -> None:
    tree = parse(html)
    node = data.draw(
        st.sampled_from([node for node in range(len(tree)) if not tree.is_text[node]])
    )
    rule = SeparatedRule((*tag_path(tree, node), PathNode(tree.name(node), "C")), ())
    assert (
        follow_prefix(tree, rule.prefix)
        == follow_prefix(tree, rule.compact().prefix)
        == (node, 0)
    )
