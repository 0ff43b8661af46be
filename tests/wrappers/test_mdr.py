"""MDR finds runs of like siblings as regions, and the records in them."""

from hypothesis import given

from markup import pages
from scythe.sections.span import Span
from scythe.tree import Tree, parse
from scythe.wrappers.mdr import data_regions, main_region

ITEM = "<div><h3><a>Title {0}</a></h3><p>Text {0}</p></div>"


def texts(tree: Tree, spans: list[Span]) -> list[str]:
    return [
        " ".join("".join(tree.text[start:stop].tolist()).split())
        for start, stop in spans
    ]


def main_texts(body: str) -> list[str]:
    tree = parse(f"<body>{body}")
    return texts(tree, main_region(tree, data_regions(tree)))


def test_a_record_is_one_element_where_siblings_are_alike() -> None:
    assert main_texts("".join(ITEM.format(n) for n in range(4))) == [
        f"Title {n}Text {n}" for n in range(4)
    ]


def test_records_of_several_siblings_are_one_span_each() -> None:
    row = "<tr><td><b><a>Name {0}</a></b></td></tr><tr><td>by <i>author {0}</i></td><td><img><u>more</u> {0}</td></tr>"
    found = main_texts(
        "<table>" + "".join(row.format(n) for n in range(4)) + "</table>"
    )
    assert found == [f"Name {n}by author {n}more {n}" for n in range(4)]


def test_a_row_of_like_cells_is_one_record_in_a_table_and_several_elsewhere() -> None:
    cell = "<{0}><b>{1}</b></{0}>"
    table = (
        "<table>"
        + "".join(
            "<tr>" + "".join(cell.format("td", f"{n}{c}") for c in "abc") + "</tr>"
            for n in range(3)
        )
        + "</table>"
    )
    grid = "".join(
        "<div>" + "".join(cell.format("p", f"{n}{c}") for c in "abc") + "</div>"
        for n in range(3)
    )
    assert main_texts(table) == ["0a0b0c", "1a1b1c", "2a2b2c"]
    assert main_texts(grid) == [f"{n}{c}" for n in range(3) for c in "abc"]


def test_siblings_that_differ_are_no_region() -> None:
    body = "<div><p><b>a</b><i>b</i></p></div><table><tr><td>c<td><u>d</u></table><ul><li><a>e</a></ul>"
    assert data_regions(parse(f"<body>{body}")) == []


def test_scripts_between_records_do_not_part_them() -> None:
    body = "<script>x()</script>".join(ITEM.format(n) for n in range(4))
    assert main_texts(body) == [f"Title {n}Text {n}" for n in range(4)]


def test_regions_stand_in_page_order_and_the_one_with_most_text_is_the_main_one() -> (
    None
):
    menu = "<div id=menu>" + "<p><a><b>x</b></a></p>" * 6 + "</div>"
    results = "<table><tr><td>" + "".join(ITEM.format(n) for n in range(3)) + "</table>"
    tree = parse(f"<body>{menu}{results}")
    regions = data_regions(tree)
    assert [len(region) for region in regions] == [6, 3]
    assert main_region(tree, regions) == regions[1]


def test_a_page_without_records_has_no_main_region() -> None:
    tree = parse("")
    assert data_regions(tree) == []
    assert main_region(tree, []) == []


def test_what_may_be_compared_on_a_page_is_bounded() -> None:
    flat = parse("<ul>" + "<li><a><b>x</b></a>" * 3_000 + "</ul>")
    assert [len(region) for region in data_regions(flat)] == [3_000]
    long = parse("<body>" + ("<div>" + "<p><b>x</b></p>" * 1_500 + "</div>") * 2)
    assert [len(region) for region in data_regions(long)] == [1_500, 1_500]


@given(pages)
def test_any_page_gives_whole_sibling_subtrees_apart_from_each_other(page: str) -> None:
    tree = parse(page)
    end_of_last = 0
    for start, stop in (span for region in data_regions(tree) for span in region):
        assert start >= end_of_last
        node = start
        while node < stop:
            assert tree.parent[node] == tree.parent[start]
            node = int(tree.end[node])
        assert node == stop
        end_of_last = stop
