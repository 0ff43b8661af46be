"""Content lines of parsed and of rendered pages: types, positions, sections."""

from dataclasses import replace

import numpy as np

from scythe.tree import Tree, parse
from scythe.tree.layout import Layout, LayoutLines
from scythe.wrappers.vints.lines import ContentLine, LineType, without_no_result_lines
from scythe.wrappers.vints.page_lines import tag_lines, visual_lines


def types(lines: list[ContentLine]) -> list[str]:
    return [line.type.name for line in lines]


def drawn(html: str, boxes: dict[str, tuple[float, float, float, float]]) -> Tree:
    """A page whose texts, and whose <hr>, stand in the given boxes: x, y, width,
    height.
    """
    tree = parse(html)
    page_boxes = np.full((len(tree), 4), np.nan, dtype=np.float32)
    for node in range(len(tree)):
        key = tree.text[node].strip() or tree.name(node)
        if key in boxes:
            page_boxes[node] = boxes[key]
    nodes = np.flatnonzero(tree.is_text & ~np.isnan(page_boxes[:, 0]))
    lengths = np.array([len(text) for text in tree.text[nodes]], dtype=np.int32)
    lines = LayoutLines(
        nodes.astype(np.int32),
        np.zeros(len(nodes), dtype=np.int32),
        lengths,
        *page_boxes[nodes].T,
    )
    numbers = np.zeros(len(tree))
    visible = ~np.isnan(page_boxes[:, 0])
    layout = Layout(
        lines,
        numbers.astype(np.float32),
        numbers.astype(np.int16),
        numbers.astype(np.uint32),
        visible,
    )
    return replace(tree, box=page_boxes, layout=layout)


def test_types_by_tags() -> None:
    html = """<div><a href=/1>A title</a></div><div>Some text</div><div>text beside <a href=/2>a link</a></div>
    <div>1. <a href=/3>A numbered title</a></div><div>2. text</div><div>(3)<a href=/4>a</a> text</div><hr><div>2nd hand</div>"""
    assert types(tag_lines(parse(html))) == [
        "LINK",
        "TEXT",
        "LINK_TEXT",
        "LINK_TEXT_HEAD",
        "TEXT_HEAD",
        "LINK_TEXT_HEAD",
        "HR_LINE",
        "TEXT",
    ]


def test_an_anchor_without_a_url_is_text() -> None:
    assert types(tag_lines(parse("<a name=top>Top of the page</a>"))) == ["TEXT"]


def test_blank_lines_by_tags() -> None:
    assert types(tag_lines(parse("one<br>two<br><br>three<p>four</p>"))) == [
        "TEXT",
        "TEXT",
        "BLANK",
        "TEXT",
        "BLANK",
        "TEXT",
    ]


def test_cells_of_a_row_are_one_line() -> None:
    rows = "<tr><td>1.</td><td><a href=/x>The title of the first result</a></td></tr><tr><td>2.</td></tr>"
    lines = tag_lines(parse(f"<table>{rows}</table>"))
    assert [line.text for line in lines] == ["1. The title of the first result", "2."]
    assert types(lines) == ["LINK_HEAD", "TEXT_HEAD"]


def test_lines_by_boxes() -> None:
    html = "<div><a href=/1>Title</a></div><div>some <b>bold</b> text</div><hr><div>below</div>"
    boxes = {
        "Title": (8.0, 10.0, 50.0, 20.0),
        "some": (48.0, 30.0, 40.0, 20.0),
        "bold": (90.0, 30.0, 30.0, 20.0),
        "text": (122.0, 30.0, 30.0, 20.0),
        "hr": (8.0, 55.0, 500.0, 2.0),
        "below": (8.0, 60.0, 40.0, 20.0),
    }
    tree = drawn(html, boxes)
    assert tree.layout is not None
    lines = visual_lines(tree, tree.layout)
    assert [(line.type.name, line.position, line.text) for line in lines] == [
        ("LINK", 8, "Title"),
        ("TEXT", 48, "some bold text"),
        ("HR_LINE", 8, ""),
        ("TEXT", 8, "below"),
    ]


def test_lines_of_other_sections_stay_apart() -> None:
    html = "<div><p>left one</p><p>left two</p></div><div><p>right one</p><p>right two</p></div>"
    boxes = {
        "left one": (8.0, 10.0, 100.0, 20.0),
        "left two": (8.0, 30.0, 100.0, 20.0),
        "right one": (600.0, 10.0, 100.0, 20.0),
        "right two": (600.0, 70.0, 100.0, 20.0),
    }
    tree = drawn(html, boxes)
    assert tree.layout is not None
    lines = visual_lines(tree, tree.layout)
    assert [line.text for line in lines] == [
        "left one",
        "left two",
        "right one",
        "",
        "right two",
    ]
    assert (lines[3].type, lines[3].position) == (LineType.BLANK, 600)


def test_lines_of_the_no_result_page_are_taken_away() -> None:
    page = tag_lines(
        parse("<p>Welcome</p><p><a href=/1>A result</a></p><p>About us</p>")
    )
    empty = tag_lines(parse("<p>Welcome</p><p>Nothing found</p><p>About us</p>"))
    assert [
        line.text for line in without_no_result_lines(page, empty) if line.text
    ] == ["A result"]
