"""Columns of tables: by header and by position in the row, whatever the cells hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scythe.sections.fields import MAIN_COLUMNS, Fields, Value, learn_fields
from scythe.sections.span import Span
from scythe.tree import Tree, parse


def body_rows(tree: Tree) -> list[Span]:
    """The rows that have a `td`."""
    rows = []
    for node in range(len(tree)):
        cells = {tree.name(child) for child in tree.children(node)}
        if tree.name(node) == "tr" and "td" in cells:
            rows.append(Span(node, int(tree.end[node])))
    return rows


def read(html: str) -> list[dict[str, Value]]:
    tree = parse(html)
    spans = body_rows(tree)
    fields = learn_fields([(tree, spans)], MAIN_COLUMNS)
    saved = Fields.from_json(fields.as_json())
    return [saved.read(tree, span) for span in spans]


TOOLS = (
    ("Rake", "19.90", "2024-01-03"),
    ("Hoe", "12.50", "2024-02-04"),
    ("Spade", "31.00", "2024-03-05"),
)


def test_headers_name_columns() -> None:
    body = "".join(
        f"<tr><td>{name}</td><td>{price}</td><td>{date}</td></tr>"
        for name, price, date in TOOLS
    )
    head = "<thead><tr><th>Tool</th><th>Price (EUR)</th><th>In stock since</th></tr></thead>"
    assert read(f"<table>{head}{body}</table>")[1] == {
        "tool": "Hoe",
        "price_eur": "12.50",
        "in_stock_since": "2024-02-04",
    }


def test_headers_of_two_rows_are_joined_and_row_headers_are_cells() -> None:
    body = "".join(
        f"<tr><th scope=row>{name}</th><td>{price}</td><td>{date}</td></tr>"
        for name, price, date in TOOLS
    )
    head = (
        "<tr><th rowspan=2>Tool</th><th colspan=2>Offer</th></tr>"
        "<tr><th>price</th><th>date</th></tr>"
    )
    assert read(f"<table>{head}{body}</table>")[2] == {
        "tool": "Spade",
        "offer_price": "31.00",
        "offer_date": "2024-03-05",
    }


def test_cells_that_reach_over_rows_count_for_each_of_them() -> None:
    html = """<table><tr><th>Year</th><th>Prize</th><th>Winner</th></tr>
    <tr><td rowspan=3>1901</td><td rowspan=2>Mowing</td><td>Ann</td></tr>
    <tr><td>Bob</td></tr>
    <tr><td>Raking</td><td>Cid</td></tr>
    <tr><td>1902</td><td>Mowing</td><td>Dan</td></tr></table>"""
    assert read(html) == [
        {"year": "1901", "prize": "Mowing", "winner": "Ann"},
        {"year": "1901", "prize": "Mowing", "winner": "Bob"},
        {"year": "1901", "prize": "Raking", "winner": "Cid"},
        {"year": "1902", "prize": "Mowing", "winner": "Dan"},
    ]


def test_a_cell_with_a_constant_sign_moves_no_other() -> None:
    html = "".join(
        f"<tr><td class=g>*</td><td><a href=/{n}>Mend the scythe {n}</a></td>"
        f"<td>Ann {n}</td></tr>"
        for n in range(4)
    )
    assert read(f"<table>{html}</table>")[3] == {
        "title": "Mend the scythe 3",
        "link": "/3",
        "column_1": "Ann 3",
    }


def test_empty_cells_and_odd_classes_keep_columns_apart() -> None:
    cells = [("Ann", ""), ("", "7"), ("Cid", "8"), ("Dan", "")]
    html = "".join(
        f"<tr><td class=c{n}>Row {n} of all</td><td class=x>{name}</td><td>{count}</td></tr>"
        for n, (name, count) in enumerate(cells)
    )
    found = read(f"<table>{html}</table>")
    assert [row.get("column_1") for row in found] == ["Ann", None, "Cid", "Dan"]
    assert [row.get("column_2") for row in found] == [None, "7", "8", None]


spans = st.sampled_from(["", " rowspan=2", " rowspan=0", " colspan=3", " colspan=x"])
cells = st.tuples(st.sampled_from(["td", "th"]), spans, st.sampled_from("ab "))


@given(st.lists(st.lists(cells, max_size=4), max_size=5))
def test_any_table_can_be_read(table: list[list[tuple[str, str, str]]]) -> None:
    rows = [
        "<tr>" + "".join(f"<{tag}{span}>{text}</{tag}>" for tag, span, text in row)
        for row in table
    ]
    for row in read(f"<table>{''.join(rows)}</table>"):
        assert all(row.values())
