"""The benchmark of fields finds the true records on a page and reads their columns."""

from benchmarks.fields import measure, summary, true_spans
from benchmarks.record_sets import RecordPage, RecordSet

from scythe.tree import parse

ROWS = [("Dune", "$ 5"), ("Emma", "$ 6"), ("Ulysses", "$ 7")]


def page(rows: list[tuple[str, str]], file: str = "1.html") -> RecordPage:
    items = "".join(
        f"<li><div><h3><a href=/{title}>{title}</a></h3> <b>{price}</b></div>"
        for title, price in rows
    )
    texts = tuple(f"{title} {price}" for title, price in rows)
    return RecordPage(
        "books", file, None, f"<body><ul>{items}</ul>".encode(), texts, tuple(rows)
    )


def test_true_records_are_the_outermost_elements_with_their_text_in_order() -> None:
    tree = parse(
        "<body><ul><li><b>same</b></li><li><b>other</b></li><li><i>same</i></li></ul>"
    )
    items = [node for node in range(len(tree)) if tree.name(node) == "li"]
    assert [
        span and span.start for span in true_spans(tree, ["same", "same", "missing"])
    ] == [items[0], items[2], None]
    assert [
        span and span.start for span in true_spans(tree, ["same", "other", "same"])
    ] == items


def test_fields_are_measured_on_single_pages_and_on_unseen_ones() -> None:
    pages = (page(ROWS), page([("Middlemarch", "$ 8"), *ROWS[:2]], "2.html"))
    found = {
        name: summary(scores)
        for name, scores in measure(
            RecordSet("books", "books", False, pages, None)
        ).items()
    }
    assert found["single pages"]["true values"] == 12
    assert found["unseen pages"]["true values"] == 6
    assert found["single pages"]["alone"] == found["unseen pages"]["alone"] == 1.0
    assert found["unseen pages"]["pure columns"] == 1.0
