"""Prefix and separators from three records: the paper's running example, its three
cases, and indented records.
"""

from scythe.tree import parse
from scythe.wrappers.vints.forest import TagForest
from scythe.wrappers.vints.initial import (
    InitialWrapperBuilder,
    common_separator,
    initial_wrapper,
)
from scythe.wrappers.vints.rule import Separator

FIGURE_5 = "<body><img><center>Search</center><hr><b>Documents</b><hr>" + "".join(
    f"<dl><dt><b><a href=/{number}>Title {number}</a></b></dt><dd>Snippet {number}</dd></dl>"
    for number in range(5)
)


def children(html: str) -> TagForest:
    """The children of <body>."""
    tree = parse(html)
    (body,) = [node for node in range(len(tree)) if tree.name(node) == "body"]
    return TagForest(tree, body)


def test_the_running_example() -> None:
    tree = parse(FIGURE_5)
    titles = [node for node in range(len(tree)) if tree.text[node].startswith("Title")]
    (initial,) = InitialWrapperBuilder(tree).wrappers([tuple(titles[1:4])])
    assert (
        str(initial.rule())
        == "<html>C<head>S<body>C<img>S<center>S<hr>S<b>S<hr>S(X(<dl>S))[0,∞]"
    )
    assert len(initial.rule().cut(tree)) == 5


def test_every_sub_group_leads_to_the_same_wrapper() -> None:
    tree = parse(FIGURE_5)
    titles = tuple(
        node for node in range(len(tree)) if tree.text[node].startswith("Title")
    )
    assert len(list(InitialWrapperBuilder(tree).wrappers([titles, titles[1:]]))) == 1


def test_same_diffs_are_the_separator() -> None:
    assert common_separator([["dt", "dd"], ["dt", "dd"]]) == ["dt", "dd"]


def test_case_1_no_common_end() -> None:
    assert common_separator([["h3", "p"], ["h3", "div"]]) is None


def test_case_2_a_common_end_that_occurs_once() -> None:
    assert common_separator([["h3", "p", "hr"], ["h3", "p", "p", "hr"]]) == ["hr"]
    assert common_separator([["h3", "p", "ul", "p"], ["h3", "ul", "p"]]) == ["ul", "p"]


def test_case_3_every_common_end_occurs_twice() -> None:
    assert common_separator([["tr", "tr"], ["tr", "tr", "tr"]]) is None


def test_rows_are_told_apart_by_their_children() -> None:
    title, text, end = (
        "<div><a href=/>T</a></div>",
        "<div>text</div>",
        "<div><hr></div>",
    )
    forest = children(
        title
        + text
        + end
        + title
        + text
        + text
        + end
        + title
        + text
        + end
        + title
        + end
    )
    initial = initial_wrapper(forest, [0, 3, 7])
    assert initial is not None
    assert initial.separators == (Separator(("div(hr)",), 1),)
    assert initial.records == [(0, 3), (3, 7), (7, 10), (10, 12)]


def test_indented_records_as_in_figure_7() -> None:
    flat, indented = (
        "<p><a href=/>title</a> text</p>",
        "<blockquote><p><a href=/>title</a> text</p></blockquote>",
    )
    forest = children(
        "<h1>Results</h1>" + flat + flat + indented + flat + indented + flat * 4
    )
    initial = initial_wrapper(forest, [6, 7, 8])
    assert initial is not None
    assert initial.separators == (Separator(("p",)), Separator(("blockquote",)))
    assert initial.start == 1
    assert len(initial.records) == 9


def test_an_indented_record_next_to_the_last() -> None:
    flat, indented = (
        "<p><a href=/>title</a> text</p>",
        "<blockquote><p><a href=/>title</a> text</p></blockquote>",
    )
    forest = children("<h1>Results</h1>" + flat * 4 + indented + flat)
    initial = initial_wrapper(forest, [1, 2, 3])
    assert initial is not None
    assert initial.separators == (Separator(("p",)), Separator(("blockquote",)))
    assert initial.records == [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]


def test_scripts_between_records_are_no_part_of_the_forest() -> None:
    record = "<h3><a href=/>title</a></h3><p>text</p>"
    forest = children(record + "<script>1</script>" + record * 2 + record)
    initial = initial_wrapper(forest, [0, 2, 4])
    assert initial is not None
    assert initial.records == [(0, 2), (2, 4), (4, 6), (6, 8)]


def test_records_that_are_not_siblings_have_no_wrapper() -> None:
    forest = children("<div>one two</div><div>three</div>")
    assert initial_wrapper(forest, [0, 0, 1]) is None


def test_what_is_too_long_is_no_record() -> None:
    forest = children(("<p>title</p>" + "<i></i>" * 200) * 3)
    assert initial_wrapper(forest, [0, 201, 402]) is None


def test_text_beside_elements_belongs_to_the_record_it_begins() -> None:
    tree = parse(
        "<body>"
        + "".join(
            f"Number {number} <a href=/>a link</a><br><br>" for number in range(4)
        )
    )
    texts = tuple(
        node for node in range(len(tree)) if tree.text[node].startswith("Number")
    )
    (initial,) = InitialWrapperBuilder(tree).wrappers([texts])
    assert [span.start for span in initial.rule().cut(tree)] == list(texts)
