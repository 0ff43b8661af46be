"""What pages show of products where they declare nothing: price, rating, stock, labelled
values.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe import read_page
from scythe.templates.visible.availability import stated_availability
from scythe.templates.visible.money import Money, currency_code, find_money
from scythe.templates.visible.ratings import stated_rating

RELATED = """<section class="related-products"><h2>You may also like</h2>
    <div class="price">$5.00</div><div class="price">$6.00</div>
    <div class="price">$7.00</div><div class="price">$8.00</div></section>"""


def shop(body: str, language: str = "en") -> str:
    return f"""<html lang="{language}"><head><title>Hay fork | Farm shop</title></head><body>
        <header><a href="/cart">Cart $0.00</a></header><p>Free shipping on orders over $50</p>
        <main><h1>Hay fork</h1>{body}<p>A fork with four tines for dry and for wet hay.</p></main>
        {RELATED}<footer>Farm shop</footer></body></html>"""


def product(body: str, language: str = "en") -> dict[str, str | list[str]]:
    return read_page(
        shop(body, language), "https://farm.example/fork", "product"
    ).to_dict()


@pytest.mark.parametrize(
    ("body", "price", "currency"),
    [
        ("<p>$24.50</p>", "24.50", "USD"),
        ("<p>1.299,00 €</p>", "1299.00", "EUR"),
        ("<p>12 990 Kč</p>", "12990", "CZK"),
        ("<p>£18</p>", "18", "GBP"),
        ("<p>CHF 1'250.00</p>", "1250.00", "CHF"),
        ("<p>3,980円</p>", "3980", "JPY"),
        ("<p>R$ 1.234,56</p>", "1234.56", "BRL"),
        ("<p>$<b>24</b><sup>99</sup></p>", "24.99", "USD"),
        ("<p><del>$40.00</del> $32.00</p>", "32.00", "USD"),
        ("<p>Was $40.00</p><p>Now $32.00</p>", "32.00", "USD"),
        ("<p>$32.00 <span>RRP $40.00</span></p>", "32.00", "USD"),
        ("<p>$40.00</p><p>$32.00</p>", "32.00", "USD"),
        ("<p>$40.00 or 4 payments of $10.00</p>", "40.00", "USD"),
        ("<p>$40.00</p><p>You save $8.00</p>", "40.00", "USD"),
        ("<p>$40.00 $32.00 You save $8.00 (20%)</p>", "32.00", "USD"),
        ("<p>12,90 € <span>(25,80 €/kg)</span></p>", "12.90", "EUR"),
        ("<button>Add to cart - $24.50</button>", "24.50", "USD"),
    ],
)
def test_the_price_is_the_one_that_is_paid_now(
    body: str, price: str, currency: str
) -> None:
    record = product(body)
    assert (record["price"], record["currency"]) == (price, currency)


def test_a_page_without_a_price_has_none() -> None:
    assert "price" not in product("<p>Sold by the dozen in our yard.</p>")


@pytest.mark.parametrize(
    ("sign", "url", "language", "code"),
    [
        ("$", "https://farm.example/", None, "USD"),
        ("$", "https://farm.example.au/", None, "AUD"),
        ("$", "https://farm.example/", "en-CA", "CAD"),
        ("kr", "https://farm.example.no/", None, "NOK"),
        ("kr.", None, "da", "DKK"),
        ("¥", None, "zh-CN", "CNY"),
    ],
)
def test_shared_signs_are_told_by_country(
    sign: str, url: str | None, language: str | None, code: str
) -> None:
    assert currency_code(sign, url, language) == code


def test_amounts_side_by_side_are_two() -> None:
    amounts = [money.amount for money in find_money("19,99 € 24,99 €")]
    assert amounts == ["19.99", "24.99"]


@given(st.text(alphabet="0123456789 .,$€'kr/-\u00a0", max_size=60))
def test_any_text_gives_amounts_that_are_numbers(text: str) -> None:
    for money in find_money(text):
        assert isinstance(money, Money)
        assert float(money.amount) >= 0
        assert 0 <= money.start < money.end <= len(text)


@pytest.mark.parametrize(
    ("body", "rating", "reviews"),
    [
        ("<p>4.3 out of 5 stars (1,234 reviews)</p>", "4.3", "1234"),
        ("<p>4,3 von 5 Sternen</p><p>12 Bewertungen</p>", "4.3", "12"),
        (
            '<div role="img" aria-label="Rated 4.5 out of 5"></div><p>(17)</p>',
            "4.5",
            "17",
        ),
        (
            '<div class="stars"><span style="width: 86%"></span></div><p>31 avis</p>',
            "4.3",
            "31",
        ),
        ("<p>5つ星のうち4.2</p><p>48件のレビュー</p>", "4.2", "48"),
        ("<p>4.6 ★</p><p>Reviews (9)</p>", "4.6", "9"),
    ],
)
def test_ratings_are_read_as_they_are_shown(
    body: str, rating: str, reviews: str
) -> None:
    record = product(f"{body}<p>$9.00</p>")
    assert (record["rating"], record["reviews"]) == (rating, reviews)


@pytest.mark.parametrize(
    "text", ["24 stars in the night", "7/24 support", "9.5", "Version 4.3.1 of 5"]
)
def test_other_numbers_are_no_ratings(text: str) -> None:
    assert stated_rating(text) is None


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("In stock", "InStock"),
        ("Only 3 left in stock", "InStock"),
        ("Ausverkauft", "OutOfStock"),
        ("Nicht auf Lager", "OutOfStock"),
        ("Rupture de stock", "OutOfStock"),
        ("Není skladem", "OutOfStock"),
        ("Skladem", "InStock"),
        ("Нет в наличии", "OutOfStock"),
        ("在庫あり", "InStock"),
        ("Pre-order now", "PreOrder"),
        ("Discontinued", "Discontinued"),
        ("Stocking fillers", None),
    ],
)
def test_states_of_the_stock_are_known_in_many_languages(
    text: str, state: str | None
) -> None:
    assert stated_availability(text) == state


def test_a_button_that_buys_says_that_there_is_some() -> None:
    assert product("<p>$9</p><button>Add to cart</button>")["availability"] == "InStock"
    sold_out = product("<p>$9</p><button disabled>Sold out</button>")
    assert sold_out["availability"] == "OutOfStock"


@pytest.mark.parametrize(
    "body",
    [
        "<table><tr><th>Marke<td>Hofwerk<tr><th>Artikelnummer<td>HW-65</table>",
        "<dl><dt>Brand:<dd>Hofwerk<dt>SKU<dd>HW-65</dl>",
        "<ul><li>Marque : Hofwerk<li>Référence : HW-65</ul>",
        "<p><b>Brand:</b> Hofwerk <b>SKU:</b> HW-65</p>",
        "<div><div>Merk</div><div>Hofwerk</div></div><div><div>SKU</div><div>HW-65</div></div>",
    ],
)
def test_labels_name_values_however_they_are_laid_out(body: str) -> None:
    record = product(f"<p>$9</p>{body}")
    assert (record["brand"], record["sku"]) == ("Hofwerk", "HW-65")


def test_a_class_name_tells_the_brand_and_a_colour_does_not() -> None:
    assert product('<p class="product-brand">Hofwerk</p>')["brand"] == "Hofwerk"
    assert "brand" not in product('<p class="text-brand-500">Lifetime guarantee</p>')


def test_rows_of_a_table_are_properties() -> None:
    rows = (
        "<table><tr><td>Tines<td>4<tr><td>Weight<td>1.2 kg<tr><td>Handle<td>ash</table>"
    )
    assert product(rows)["properties"] == ["Tines: 4", "Weight: 1.2 kg", "Handle: ash"]


def test_declared_values_come_first_and_shown_ones_fill_the_gaps() -> None:
    declared = """<script type="application/ld+json">{"@type": "Product", "name": "Fork",
        "offers": {"price": "21", "availability": "https://schema.org/InStock"}}</script>"""
    record = read_page(declared + shop("<p>$24.50</p><p>4.3 out of 5</p>"))
    assert record.kind == "Product"
    assert record.values["price"] == ["21"]
    assert record.values["availability"] == ["InStock"]
    assert record.values["rating"] == ["4.3"]
    assert record.sources["price"] == "json-ld offers.price"
    assert record.sources["rating"] == "stars beside the title"


def test_meta_tags_of_shops_are_declared_data() -> None:
    tags = """<meta property="product:price:amount" content="21.00">
        <meta property="product:price:currency" content="NOK">
        <meta property="product:availability" content="oos">"""
    record = read_page(f"<head><title>Fork</title>{tags}</head><h1>Fork</h1>")
    assert record.to_dict() == {
        "title": "Fork",
        "price": "21.00",
        "currency": "NOK",
        "availability": "OutOfStock",
    }
    assert record.sources["price"] == "meta tag offers.price"


@given(st.text(max_size=200))
def test_any_page_gives_a_product(text: str) -> None:
    record = read_page(f"<h1>Fork</h1><p>{text}", kind="product")
    assert record.kind == "Product"
    assert record.values.keys() == record.sources.keys()
