"""What values look like: prices, dates, ratings and addresses, and what only looks
alike.
"""

import pytest

from scythe.kinds import is_address_column, is_date, is_price, is_rating


@pytest.mark.parametrize(
    "value",
    [
        "$12",
        "$ 1,299.00",
        "12,50 €",
        "US $36-40 / Piece",
        "CDN$ 21.99",
        "from £5",
        "1 200 kr",
        "¥980",
        "25元",
    ],
)
def test_prices(value: str) -> None:
    assert is_price([value])


@pytest.mark.parametrize(
    "value",
    [
        "12",
        "12 plays",
        "Save more",
        "A $5 tool that does the work of ten men in a day on a wet field",
    ],
)
def test_no_prices(value: str) -> None:
    assert not is_price([value])


@pytest.mark.parametrize(
    "value",
    [
        "2024-05-01",
        "31/07/2003",
        "Jan 5",
        "5 May 2006",
        "Mar. 8, 2016, 7:25 PM",
        "2 days ago",
        "Updated a day ago",
        "2024年5月1日",
    ],
)
def test_dates(value: str) -> None:
    assert is_date([value])


@pytest.mark.parametrize(
    "value",
    [
        "Genesis 5:1",
        "May",
        "1234567890",
        "On 5 May 2006 a long story began that never came to an end",
    ],
)
def test_no_dates(value: str) -> None:
    assert not is_date([value])


def test_ratings_say_so_themselves_or_by_their_class() -> None:
    assert is_rating(["4.5 out of 5 stars", "3/5"], "")
    assert is_rating(["★★★☆☆"], "")
    assert is_rating(["4.5", "3"], "review-rating")
    assert not is_rating(["4.5", "3"], "price")
    assert not is_rating(["rated by users", "not rated"], "rating")


def test_addresses_are_told_from_paths_and_words() -> None:
    assert is_address_column(["https://a.example/x", "www.b.example", "c.example/y/z"])
    assert not is_address_column(["owner/repository", "Dr. Who", "and/or"])


def test_most_values_decide() -> None:
    assert is_price(["$1", "$2", "Sold out"])
    assert not is_price(["$1", "Sold out", "Sold out"])
    assert not is_price([])
