"""What columns are called, and which of them are left out."""

from __future__ import annotations

import pytest

from scythe.errors import UsageError
from scythe.sections.fields import ColumnOptions, Fields, learn_fields
from scythe.sections.span import Span
from scythe.tree import Tree, parse


def listed(*items: str) -> tuple[Tree, list[Span]]:
    tree = parse("<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>")
    nodes = [node for node in range(len(tree)) if tree.name(node) == "li"]
    return tree, [Span(node, int(tree.end[node])) for node in nodes]


def columns(*items: str, is_folded: bool = False) -> tuple[str, ...]:
    options = ColumnOptions(is_folded=is_folded)
    return learn_fields([listed(*items)], options).columns


def test_elements_and_labels_say_what_a_value_is() -> None:
    item = (
        "<h3>The tool number {n}</h3><p itemprop=countryOfOrigin>Land {n}</p>"
        "<div><span>Weight:</span> <span class=w>{n}00 g</span></div>"
        "<time>Spring {n}</time><p class=author>Ann the {n}th</p><i>made by {n} hands</i>"
    )
    found = columns(*(item.format(n=n) for n in (1, 2, 3)))
    assert {"title", "country_of_origin", "weight", "date", "author"} <= {*found}


def test_a_label_for_screen_readers_is_no_part_of_the_value() -> None:
    item = (
        "<h3>Course number {n}</h3><p><span class=sr-only>School:</span> Farm {n}</p>"
    )
    tree, spans = listed(*(item.format(n=n) for n in (1, 2, 3)))
    fields = learn_fields([(tree, spans)], ColumnOptions(is_folded=True))
    assert fields.read(tree, spans[1]) == {
        "title": "Course number 2",
        "school": "Farm 2",
    }


def test_rare_and_constant_columns_are_folded_unless_asked_for() -> None:
    item = (
        "<h3><a href=/{n}>The tool number {n}</a></h3><p>{n} kg</p><button>Buy</button>"
    )
    items = [item.format(n=n) for n in range(12)]
    items[3] += "<em>the best of all</em>"
    assert columns(*items, is_folded=True) == ("title", "link", "column_1")
    assert len(columns(*items)) == 5


def test_a_column_that_only_repeats_another_is_folded_also_where_some_records_lack_it() -> (
    None
):
    item = "<i>{n} hours ago</i><h3><a href=/{n}>The tool number {n}</a></h3>"
    items = [item.format(n=n) for n in range(2, 10)]
    for n, text in enumerate(items[:6], 2):
        items[n - 2] = f"{text}<p class=when>{n} hours ago</p>"
    assert columns(*items, is_folded=True) == ("date", "title", "link")


def read_all(*items: str) -> list[dict[str, str]]:
    tree, spans = listed(*items)
    fields = learn_fields([(tree, spans)], ColumnOptions(is_folded=True))
    return [{**fields.read(tree, span)} for span in spans]  # type: ignore[dict-item]


def test_the_price_is_the_one_to_pay_wherever_it_stands() -> None:
    plain = "<h3><a href=/{n}>The tool number {n}</a></h3><p><b class=amount>${n}.50</b></p>"
    reduced = (
        "<h3><a href=/{n}>The tool number {n}</a></h3>"
        "<p><del><b class=amount>$9{n}.00</b></del> <ins><b class=amount>${n}.50</b></ins></p>"
    )
    kinds = (reduced, plain, reduced, reduced, reduced, plain)
    found = read_all(*(kind.format(n=n) for n, kind in enumerate(kinds, 1)))
    assert [record["price"] for record in found] == [f"${n}.50" for n in range(1, 7)]


def test_a_title_that_stands_elsewhere_in_some_records_is_the_title_with_its_link() -> (
    None
):
    plain = "<h3><a href=/{n}>The tool number {n}</a></h3><p>{n} kg</p>"
    boxed = (
        "<section><h2><a href=/{n}>The tool number {n}</a></h2></section><p>{n} kg</p>"
    )
    kinds = (plain, plain, boxed, plain, boxed, plain)
    found = read_all(*(kind.format(n=n) for n, kind in enumerate(kinds, 1)))
    assert [record["title"] for record in found] == [
        f"The tool number {n}" for n in range(1, 7)
    ]
    assert [record["link"] for record in found] == [f"/{n}" for n in range(1, 7)]


def test_a_copy_of_the_title_is_no_snippet() -> None:
    item = (
        "<a href=/{n}>A long title of the tool number {n}, with many words</a>"
        "<h3>A long title of the tool number {n}, with many words</h3><p>{n} kg</p>"
    )
    found = columns(*(item.format(n=n) for n in range(1, 6)), is_folded=True)
    assert "title" in found
    assert "snippet" not in found


def test_posts_are_named_by_what_they_declare_of_themselves() -> None:
    post = (
        "<article itemprop=comment itemscope>"
        "<div itemprop=author itemscope><a itemprop=url href=/u{n}><b itemprop=name>Ann {n}</b></a>"
        "<i class=user-posts>1{n} posts</i></div>"
        "<div itemprop=text>Hay dries on day {n}, when it was cut in the first sun</div>"
        "<a href=/reply{n} data-label='.js-reply'>Reply to {n}</a></article>"
    )
    found = read_all(*(post.format(n=n) for n in range(2, 8)))
    assert found[0]["author"] == "Ann 2"
    assert found[0]["snippet"].startswith("Hay dries on day 2")
    names = set().union(*found)
    assert not names & {"comment", "url", "name", "js_reply", "author_2"}


def test_a_column_can_be_renamed() -> None:
    item = "<h3><a href=/{n}>The tool number {n}</a></h3><p>{n} kg</p>"
    tree, spans = listed(*(item.format(n=n) for n in range(4)))
    fields = learn_fields([(tree, spans)]).rename("column_1", "weight")
    saved = Fields.from_json(fields.as_json())
    assert saved.read(tree, spans[2])["weight"] == "2 kg"
    assert saved.columns == ("title", "link", "weight")
    for column, name in (("column_9", "x"), ("weight", "title"), ("weight", " ")):
        with pytest.raises(UsageError):
            saved.rename(column, name)


def test_the_date_among_other_words_is_a_column_too() -> None:
    contents = [
        f"<b><a href=/{n}>About letter {n}</a></b> <i>by Ann Quill on {n} May 2024 at noon, in answer"
        f" to {n} others</i>"
        for n in range(1, 6)
    ]
    html = "<ul>" + "".join(f"<li>{content}</li>" for content in contents) + "</ul>"
    tree = parse(html)
    spans = [
        Span(node, int(tree.end[node]))
        for node in range(len(tree))
        if tree.name(node) == "li"
    ]
    fields = learn_fields([(tree, spans)])
    assert fields.read(tree, spans[2])["date"] == "3 May 2024"
    again = Fields.from_json(fields.as_json())
    assert again.read(tree, spans[2]) == fields.read(tree, spans[2])
    renamed = fields.rename("date", "posted")
    assert renamed.read(tree, spans[0])["posted"] == "1 May 2024"


def test_what_is_said_of_a_record_on_a_date_is_no_title() -> None:
    letters = [
        f"<b><a href=/{n}>About letter {n % 3}</a></b> by Ann Quill, {n} May 2024"
        for n in range(1, 10)
    ]
    tree, spans = listed(*letters)
    fields = learn_fields([(tree, spans)])
    assert fields.read(tree, spans[0])["title"] == "About letter 1"


def test_a_label_that_repeats_the_title_is_no_snippet() -> None:
    item = (
        "<h3><a href=/{n}>A long handled garden tool number {n}</a></h3>"
        "<p>{n} reviews with an average rating of 4.{n} out of 5 stars</p>"
        "<p class=b>Add A long handled garden tool number {n} to the cart</p>"
    )
    tree, spans = listed(*(item.format(n=n) for n in (1, 2, 3)))
    row = learn_fields([(tree, spans)]).read(tree, spans[0])
    assert str(row["rating"]).startswith("1 reviews")
    assert "snippet" not in row


def test_a_list_that_a_script_shows_is_read_but_for_what_is_hidden_in_a_row() -> None:
    item = "<h3><a href=/{n}>The tool number {n}</a></h3><p>{n} kg</p>"
    tree, spans = listed(*(item.format(n=n) for n in (1, 2, 3)))
    shown = learn_fields([(tree, spans)]).read(tree, spans[0])
    html = "".join(f"<li>{item.format(n=n)}</li>" for n in (1, 2, 3))
    later = parse(f"<ul hidden>{html}</ul>")
    nodes = [node for node in range(len(later)) if later.name(node) == "li"]
    found = [Span(node, int(later.end[node])) for node in nodes]
    assert learn_fields([(later, found)]).read(later, found[0]) == shown
