"""Columns of records, on small pages: what becomes a field, what its name is, and how
it is read on later pages.
"""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.errors import ScytheError
from scythe.sections.fields import ColumnOptions, Fields, Value, learn_fields
from scythe.sections.span import Span
from scythe.tree import Tree, parse


def records(
    html: str, tag: str = "li", class_name: str | None = None
) -> tuple[Tree, list[Span]]:
    tree = parse(html)
    nodes = [
        node
        for node in range(len(tree))
        if tree.name(node) == tag
        and (class_name is None or tree.attributes(node).get("class") == class_name)
    ]
    return tree, [Span(node, int(tree.end[node])) for node in nodes]


def rows(
    html: str, tag: str = "li", class_name: str | None = None
) -> list[dict[str, Value]]:
    tree, spans = records(html, tag, class_name)
    fields = learn_fields([(tree, spans)])
    return [fields.read(tree, span) for span in spans]


def items(*contents: str) -> str:
    return "<ul>" + "".join(f"<li>{content}</li>" for content in contents) + "</ul>"


RESULT = '<h3><a href="/{n}">{title}</a></h3><p class="text">{text}</p>'
WORDS = (
    "Scythes cut grass and grain <b>{n}</b> times as fast as any sickle does, they say."
)


def test_a_search_result_has_title_link_and_snippet() -> None:
    html = items(
        *(
            RESULT.format(n=n, title=f"How to mow, part {n}", text=WORDS.format(n=n))
            for n in (1, 2, 3)
        )
    )
    assert rows(html)[1] == {
        "title": "How to mow, part 2",
        "link": "/2",
        "snippet": "Scythes cut grass and grain 2 times as fast as any sickle does, they say.",
    }


def test_a_product_has_image_price_rating_and_date() -> None:
    card = (
        '<a href="/p{n}"><img src="data:x" data-src="/img{n}.jpg"></a><a class="name" href="/p{n}">Garden scythe {n}</a>'
        '<span class="price">$ {n}9.90</span><span class="stars">4.{n}</span>'
        '<time>2024-05-0{n}</time><i class="stock">In stock</i>'
    )
    found = rows(items(*(card.format(n=n) for n in (1, 2, 3))))
    assert found[0] == {
        "image": "/img1.jpg",
        "title": "Garden scythe 1",
        "link": "/p1",
        "price": "$ 19.90",
        "rating": "4.1",
        "date": "2024-05-01",
        "column_1": "In stock",
    }


def test_optional_fields_leave_gaps_and_do_not_move_others() -> None:
    found = rows(
        items(
            '<b class="who">Ann</b><i class="where">Oslo</i><i class="job">smith</i>',
            '<b class="who">Bob</b><i class="job">mower</i>',
            '<b class="who">Cid</b><i class="where">Rome</i>',
        )
    )
    where, job = (
        next(name for name, value in found[0].items() if value == text)
        for text in ("Oslo", "smith")
    )
    assert [row.get(where) for row in found] == ["Oslo", None, "Rome"]
    assert [row.get(job) for row in found] == ["smith", "mower", None]


def test_swapped_fields_keep_their_columns() -> None:
    found = rows(
        items("<b>x1</b><i>y1</i>", "<b>x2</b><i>y2</i>", "<i>y3</i><b>x3</b>")
    )
    names = list(found[0])
    assert [[row[name] for name in names] for row in found] == [
        ["x1", "y1"],
        ["x2", "y2"],
        ["x3", "y3"],
    ]


def test_repeated_elements_become_a_list_in_every_record() -> None:
    found = rows(
        items(
            "<h4>Mowing today</h4><a rel=tag href=/a>grass</a> <a rel=tag href=/b>hay</a>",
            "<h4>Whetting stones</h4><a rel=tag href=/c>stone</a>",
            "<h4>Peening jigs</h4><a rel=tag href=/a>grass</a> <a rel=tag href=/d>steel</a> <a rel=tag href=/e>jig</a>",
        )
    )
    assert [row["column_1"] for row in found] == [
        ["grass", "hay"],
        ["stone"],
        ["grass", "steel", "jig"],
    ]
    assert [row["title"] for row in found] == [
        "Mowing today",
        "Whetting stones",
        "Peening jigs",
    ]


def test_cells_of_a_table_are_told_apart_by_number_also_after_an_empty_one() -> None:
    html = (
        "<table>"
        + "".join(
            f"<tr><td>a{n}<td>{'' if n == 2 else f'b{n}'}<td>c{n}</tr>"
            for n in range(4)
        )
        + "</table>"
    )
    found = rows(html, "tr")
    last = next(name for name, value in found[0].items() if value == "c0")
    assert [row[last] for row in found] == ["c0", "c1", "c2", "c3"]


def test_rows_with_labels_are_told_apart_by_label() -> None:
    found = rows(
        items(
            "<h4>One book</h4><p><b>Author:</b> Ann</p><p><b>Year:</b> 1990</p>",
            "<h4>Two books</h4><p><b>Year:</b> 1991</p>",
            "<h4>Three books</h4><p><b>Author:</b> Cid</p><p><b>Year:</b> 1992</p><p><b>Pages:</b> 7</p>",
            "<h4>Four books</h4><p><b>Pages:</b> 8</p>",
        )
    )
    assert found[1] == {"title": "Two books", "year": "Year: 1991"}
    assert [row.get("author") for row in found] == [
        "Author: Ann",
        None,
        "Author: Cid",
        None,
    ]


def test_a_label_and_its_value_are_one_field_but_a_bar_of_elements_is_several() -> None:
    bar = (
        '<div><span class="lang">{lang}</span> <a href="/s{n}">{n}5</a> <a class="f" href="/f{n}">{n}7</a>'
        " Updated <time>{n} days ago</time></div>"
    )
    found = rows(
        items(
            *(
                f"<p>by <a href='/u{n}'>user{n}</a></p>"
                + bar.format(lang="CHR"[n], n=n)
                for n in (0, 1, 2)
            )
        )
    )
    assert {"by user1", "H", "15", "17", "Updated 1 days ago"} <= {
        value for value in found[1].values() if isinstance(value, str)
    }


def test_highlighted_words_do_not_cut_a_text_whatever_their_tag() -> None:
    texts = (
        '<span class="hit">Grass</span> grows and <span class="hit">grass</span> is cut',
        'to cut <span class="hit">grass</span> is to know <span class="hit">grass</span> well',
        "no such word in this one",
    )
    assert [
        list(row.values()) for row in rows(items(*(f"<p>{text}</p>" for text in texts)))
    ] == [
        ["Grass grows and grass is cut"],
        ["to cut grass is to know grass well"],
        ["no such word in this one"],
    ]


def test_records_of_several_siblings_are_read_too() -> None:
    tree = parse(
        "<dl>"
        + "".join(
            f"<dt><a href=/{n}>Term {n}00</a></dt><dd>Meaning {n}</dd>"
            for n in range(3)
        )
        + "</dl>"
    )
    heads = [node for node in range(len(tree)) if tree.name(node) == "dt"]
    spans = [
        Span(node, stop)
        for node, stop in zip(
            heads, [*heads[1:], int(tree.end[tree.parent[heads[0]]])], strict=True
        )
    ]
    fields = learn_fields([(tree, spans)])
    assert fields.read(tree, spans[2]) == {
        "title": "Term 200",
        "link": "/2",
        "column_1": "Meaning 2",
    }


def test_what_is_learned_on_some_pages_reads_others() -> None:
    first = items(
        *(RESULT.format(n=n, title=f"Title {n} here", text="short") for n in (1, 2, 3))
    )
    second = items(
        *(
            RESULT.format(n=n, title=f"Title {n} here", text="short")
            + '<em class="ad">Ad</em>'
            for n in (4, 5)
        )
    )
    fields = learn_fields([records(first), records(second)])
    later, spans = records(
        items(
            '<em class="new">new!</em>'
            + RESULT.format(n=9, title="A later one", text="other"),
            "",
        )
    )
    assert fields.read(later, spans[0]) == {
        "title": "A later one",
        "link": "/9",
        "column_1": "other",
    }
    assert fields.read(later, spans[1]) == {}


def test_an_element_that_comes_twice_is_the_one_with_the_class_it_should_have() -> None:
    fields = learn_fields(
        [records(items(*(f'<i class="price">{n} kr</i>' for n in (1, 2))))]
    )
    later, spans = records(items('<i class="badge">New</i><i class="price">3 kr</i>'))
    assert fields.read(later, spans[0]) == {"price": "3 kr"}


def test_scripts_and_hidden_text_are_no_fields() -> None:
    found = rows(
        items(
            *(
                f"<b>Name {n} and more</b><script>var x={n}</script><i style='display:none'>secret {n}</i>"
                for n in (1, 2)
            )
        )
    )
    assert found == [{"title": "Name 1 and more"}, {"title": "Name 2 and more"}]


def test_a_hidden_copy_inside_a_value_is_no_part_of_it() -> None:
    prices = (
        f"<b>Rake {n} of oak</b><p class=price>${n}.50 <i hidden>{n}.50</i></p>"
        for n in (1, 2, 3)
    )
    assert [row["price"] for row in rows(items(*prices))] == ["$1.50", "$2.50", "$3.50"]


def test_rules_are_plain_json_and_come_back_the_same() -> None:
    tree, spans = records(
        items(
            *(
                RESULT.format(n=n, title=f"Title {n} it is", text=WORDS.format(n=n))
                for n in (1, 2, 3)
            )
        )
    )
    fields = learn_fields([(tree, spans)])
    data = json.loads(json.dumps(fields.as_json()))
    assert data["columns"] == ["title", "link", "snippet"]
    assert data["record"]["inside"][0]["inside"][0] == {
        "tag": "h3",
        "inside": [{"tag": "a", "text": "title", "link": "link"}],
    }
    again = Fields.from_json(data)
    assert again.as_json() == data
    assert [again.read(tree, span) for span in spans] == [
        fields.read(tree, span) for span in spans
    ]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"columns": []},
        {"columns": [], "record": 3},
        {"columns": [1], "record": {"tag": "a", "inside": [{}]}},
    ],
)
def test_rules_that_scythe_did_not_write_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(ScytheError, match="Learn the wrapper again"):
        Fields.from_json(data)


def test_no_records_give_no_columns() -> None:
    assert learn_fields([]).columns == ()
    tree = parse("")
    assert learn_fields([(tree, [Span(1, 1)])]).read(tree, Span(0, len(tree))) == {}


@given(st.lists(pages, min_size=1, max_size=5), pages)
def test_any_page_gives_values_that_stand_on_it(htmls: list[str], later: str) -> None:
    trees = [parse(html) for html in htmls]
    fields = learn_fields([(tree, [Span(0, len(tree))]) for tree in trees])
    assert Fields.from_json(fields.as_json()).as_json() == fields.as_json()
    for tree in [*trees, parse(later)]:
        row = fields.read(tree, Span(0, len(tree)))
        assert set(row) <= set(fields.columns)
        text = "".join("".join(tree.text).split())
        for name, value in row.items():
            for one in [value] if isinstance(value, str) else value:
                assert one
                if not name.startswith(("link", "image")) and not name.endswith(
                    ("_link", "_image")
                ):
                    assert "".join(one.split()) in text or " " in one


def test_deep_and_wide_records_end() -> None:
    deep = "<div>" * 450 + "x" + "</div>" * 450
    wide = "".join(
        f"<i class=c{n % 7}>{n}</i><b>{n}</b>text {n}<br>" for n in range(800)
    )
    found = rows(items(deep, wide, wide + deep, "<i>1</i>"))
    assert len(found) == 4


def test_a_box_whose_class_says_that_it_has_a_part_more_is_the_same_position() -> None:
    plain = "<div class=head><a class=name href=/{n}><h4>Shirt {n}</h4></a></div><p>{n} kg</p>"
    rated = (
        "<div class='head head--rated'><span><b></b><b></b> 4.{n}</span>"
        "<a class=name href=/{n}><h4>Shirt {n}</h4></a></div><p>{n} kg</p>"
    )
    kinds = (rated, plain, rated, rated, plain, rated)
    found = rows(items(*(kind.format(n=n) for n, kind in enumerate(kinds, 1))))
    assert [record["title"] for record in found] == [f"Shirt {n}" for n in range(1, 7)]


def test_classes_that_only_say_odd_or_even_or_count_do_not_make_two_columns_of_one() -> (
    None
):
    box = '<div class="hit {parity}"><h4 class="h-{n}1">Title of {n}</h4><p>Text of {n}</p></div>'
    found = rows(
        items(*(box.format(parity=("even", "odd")[n % 2], n=n) for n in range(4)))
    )
    assert found == [
        {"title": f"Title of {n}", "column_1": f"Text of {n}"} for n in range(4)
    ]


def test_an_old_price_is_another_field_than_the_price() -> None:
    found = rows(
        items(
            *(f'<b class="price">$ {n}</b>' for n in (1, 2, 3)),
            '<b class="price old">$ 5</b><b class="price">$ 4</b>',
        )
    )
    assert [row["price"] for row in found] == ["$ 1", "$ 2", "$ 3", "$ 4"]
    assert found[3]["price_2"] == "$ 5"


def test_a_second_box_in_one_record_makes_no_lists_of_all() -> None:
    box = "<div><h4>{title}</h4><p>First words</p><p class=more>More words</p></div>"
    found = rows(
        items(
            *(box.format(title=f"Title {n} of all") for n in range(11)),
            box.format(title="Title of last") * 2,
        )
    )
    assert [row["title"] for row in found] == [
        f"Title {n} of all" for n in range(11)
    ] + ["Title of last"]
    assert ["Title of last"] in found[-1].values()


@pytest.mark.parametrize(
    "row",
    [
        "{n}. <b><a href=/{n}>{title}</a></b> (score: {n}0)",
        "{n} <a href=/{n}>{title}</a> <small>rank {n}0</small>",
    ],
)
def test_a_number_that_counts_the_records_is_no_part_of_the_title(row: str) -> None:
    titles = ("Mowing", "Whetting", "Peening", "Stooking")
    found = rows(
        items(*(row.format(n=n, title=title) for n, title in enumerate(titles, 7)))
    )
    assert [record["title"] for record in found] == list(titles)
    assert found[0]["column_1"] in ("7", "7.")


def test_a_number_of_things_stays_with_their_name() -> None:
    found = rows(
        items(
            *(
                f"<h3>{title}</h3>{n} <a href=/{title}>comments</a>"
                for n, title in ((3, "Hay"), (1, "Rye"), (8, "Oats"))
            )
        )
    )
    assert "3 comments" in found[0].values()


def test_a_date_that_all_records_share_is_no_label() -> None:
    hits = (
        f"<a href=/{n}>Page {n} of hay</a><p>By ada, 02/06/24</p><i>Compare</i>"
        for n in range(1, 7)
    )
    tree, spans = records(items(*hits))
    fields = learn_fields([(tree, spans)], ColumnOptions(is_folded=True))
    values = fields.read(tree, spans[0]).values()
    assert "By ada, 02/06/24" in values
    assert "Compare" not in values


def test_the_number_of_the_next_preformatted_record_is_no_value() -> None:
    mails = "".join(
        f"{n}. <b><a href=/{n}>About mail {n}</a></b>\n   - by Ann {n}\n\n"
        for n in range(1, 5)
    )
    tree = parse(f"<pre>{mails}</pre>")
    heads = [node for node in range(len(tree)) if tree.name(node) == "b"]
    spans = [
        Span(head, stop)
        for head, stop in zip(heads, [*heads[1:], len(tree)], strict=True)
    ]
    fields = learn_fields([(tree, spans)])
    read = [list(fields.read(tree, span).values()) for span in spans]
    assert read[0] == ["About mail 1", "/1", "- by Ann 1"]
