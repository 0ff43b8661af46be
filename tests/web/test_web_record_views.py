"""Records as tables, in all collections at once, in the kitchen; values of a facet by
their letters; words of a search marked.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.store.collections.bodies import BodyRows
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.records import NewRecord, RecordRows, RecordSource
from scythe.web.app import create_app
from scythe.web.records.highlights import highlighted, snippet
from scythe.web.records.recipes import ingredient_groups, scaled
from scythe.web.server.pictures import Pictures
from scythe.web.server.settings import Settings
from visitor import words_of

AT = "/collections/barn/records"
HOSTILE = "<script>alert(1)</script>"


def added(store: Store, name: str, kind: str, *found: dict[str, Any]) -> None:
    """Add a collection with records."""
    collection = CollectionRows(store).add(name, "https://barn.example/", kind)
    records = [
        NewRecord(
            f"r{number}",
            f"https://barn.example/{number}",
            fields,
            RecordSource(None, None, 1, 3),
            (),
        )
        for number, fields in enumerate(found)
    ]
    RecordRows(store, collection).store(records)


def product(number: int, **more: Any) -> dict[str, Any]:
    brand = f"Maker {number % 15:02}"
    values = {"title": f"Scythe {number:02}", "price": 10.5 + number, "brand": brand}
    return {**values, "price_currency": "EUR", "color": "red", **more}


@pytest.fixture
def visitor(store: Store, tmp_path: Path) -> TestClient:
    products = [product(number) for number in range(40)]
    products.append(product(40, title=HOSTILE, brand=HOSTILE))
    added(store, "barn", "product", *products)
    app = create_app(Collections(store), Settings(port=80))
    app.state.pictures = Pictures(tmp_path / "pictures")
    return TestClient(app, base_url="http://127.0.0.1")


def get(visitor: TestClient, path: str, **headers: str) -> str:
    answer = visitor.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def rows(page: str) -> list[str]:
    """The words of the rows of a table."""
    return [words_of(row) for row in re.findall(r"<tr>.*?</tr>", page, re.DOTALL)][1:]


def test_a_table_has_sortable_columns_of_ones_choice(visitor: TestClient) -> None:
    page = get(visitor, f"{AT}?view=table&sort=price")
    assert rows(page)[0].startswith("Scythe 00 €10.50 Maker 00")
    assert 'aria-sort="ascending"' in page
    assert "sort=-price" in page
    by_brand = get(visitor, f"{AT}?view=table&sort=-brand&column=brand&column=title")
    assert rows(by_brand)[1].startswith("Maker 14 Scythe")
    assert "€" not in " ".join(rows(by_brand))
    assert HOSTILE not in get(visitor, f"{AT}?view=table&sort=-title")


def test_values_beyond_a_dozen_are_found_by_their_letters(visitor: TestClient) -> None:
    piece = get(
        visitor, "/collections/barn/facets/brand?find=r+13", **{"HX-Request": "true"}
    )
    assert words_of(piece) == "Maker 13 2"
    whole = get(visitor, "/collections/barn/facets/brand?find=%25_&q=scythe")
    assert "No matches" in whole
    assert HOSTILE not in get(visitor, "/collections/barn/facets/brand?find=script")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_one_search_finds_records_of_all_collections(
    visitor: TestClient, store: Store
) -> None:
    added(store, "news", "article", {"title": "A scythe for the lawn", "text": "Mow."})
    page = get(visitor, "/records?q=scythe")
    words = words_of(page)
    assert words.index("barn") < words.index("news")
    assert "A <mark>scythe</mark> for the lawn" in page
    assert "No matches" in get(visitor, "/records?q=nothing+has+this")
    assert "/collections/news/records/41?back=" in page.replace("/42?", "/41?")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_way_back_keeps_the_search(visitor: TestClient) -> None:
    page = get(visitor, f"{AT}?q=scythe&f.brand=Maker+03&sort=price")
    opened = re.search(r'href="(/collections/barn/records/\d+\?back=[^"]+)"', page)
    assert opened
    record = get(visitor, opened[1])
    assert (
        'href="/collections/barn/records?q=scythe&amp;f.brand=Maker+03&amp;sort=price"'
        in record
    )
    assert "evil.example" not in get(visitor, f"{AT}/1?back=//evil.example/%3Fq")


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_recipes_are_scaled_and_shown_for_the_kitchen(
    visitor: TestClient, store: Store
) -> None:
    recipe = {
        "title": "Porridge",
        "yield": "serves 4",
        "yield_amount": 4,
        "ingredients": ["200 g oats", "For the top:", "2 apples"],
        "ingredients_parsed": [
            {"quantity": 200, "unit": "g", "item": "oats"},
            {"item": "For the top"},
            {"quantity": 2, "item": "apples"},
        ],
        "instructions": ["Stir.", HOSTILE],
    }
    added(store, "pots", "recipe", recipe)
    at = "/collections/pots/records/42"
    whole = get(visitor, at)
    assert "<h3>For the top</h3>" in whole
    words = words_of(get(visitor, f"{at}?servings=8"))
    assert "400 g oats" in words
    assert "4 apples" in words
    kitchen = get(visitor, f"{at}/cook?servings=2")
    assert "100 g oats" in words_of(kitchen)
    assert HOSTILE not in kitchen
    assert visitor.get(f"{AT}/1/cook", follow_redirects=False).status_code == 303


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_jobs_are_laid_out_as_jobs_with_the_text_of_their_page(
    visitor: TestClient, store: Store
) -> None:
    words = "We look for somebody who mows, who reaps, and who rakes the hay. " * 3
    body = f"""<body><nav><a href=/>Home</a></nav><article><h1>Mower</h1>
        <p>{words}</p><h2>You have</h2><ul><li>a scythe{escape(HOSTILE)}</li>
        <li>two arms</li></ul><p>{words}</p></article>{HOSTILE}</body>"""
    job = {"title": "Mower", "company": "Barn & Sons", "location": "Uri"}
    collection = CollectionRows(store).add("jobs", "https://barn.example/", "job")
    with store.writing() as connection:
        hashes = BodyRows(store, collection).add(connection, {1: body.encode()})
    source = RecordSource(None, hashes[1], 1, 3)
    record = NewRecord("j", "https://barn.example/j", job, source, ())
    RecordRows(store, collection).store([record])
    page = get(visitor, "/collections/jobs/records/42")
    assert '<article class="record job">' in page
    assert "Barn &amp; Sons</span><span>Uri</span>" in page
    assert "<h3>You have</h3>" in page
    assert "<li>two arms</li>" in page
    assert "Home</p>" not in page
    assert HOSTILE not in page


def test_words_are_marked_as_the_search_finds_them() -> None:
    def marked(text: str, words: str) -> list[str]:
        return [piece.text for piece in highlighted(text, words) if piece.is_hit]

    assert marked("Crème and tomatoes", "creme tomato") == ["Crème", "tomatoes"]
    assert marked("Tomato salad", "tomat*") == ["Tomato"]
    assert marked("Onion soup", "-onion soup") == ["soup"]
    assert marked("麦のスープ", "スープ") == ["スープ"]
    assert "".join(piece.text for piece in highlighted("a [b] c", "[b]")) == "a [b] c"
    far = snippet("word " * 100 + "barley soup", "barley", 60)
    assert any(piece.text == "barley" for piece in far)


def test_amounts_are_scaled_as_cooks_write_them() -> None:
    assert scaled("1 1/2 cups flour", {"quantity": 1.5}, 0.5) == "¾ cups flour"
    assert scaled("about 2 onions", {"quantity": 2}, 2.0) == "about 4 onions"
    assert scaled("salt", {}, 2.0) == "salt"
    groups = ingredient_groups(["Dough:", "1 egg"], None)
    assert [(group.title, group.lines) for group in groups] == [("Dough", ["1 egg"])]
