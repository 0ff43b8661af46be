"""Several pages of one site: what repeats is left out."""

import scythe

NOTICE = "<p>Subscribe to the Sheaf, for news, views and recipes, delivered to your door every week of the year.</p>"


def page(crop: str) -> str:
    story = (
        f"<p>The {crop} was cut at dawn, dried until noon, and brought home before the rain.</p>"
        * 6
    )
    return f"<body><div id=main><h1>Harvest</h1>{NOTICE}{story}{NOTICE}</div></body>"


def test_what_pages_share_is_left_out_of_each() -> None:
    pages = [page(crop) for crop in ("barley", "wheat", "oats")]
    assert all("Subscribe" in scythe.extract(html).text for html in pages)
    documents = scythe.extract_many(
        pages, urls=[f"https://sheaf.example/{n}" for n in range(3)]
    )
    assert [document.text.count("Subscribe") for document in documents] == [0, 0, 0]
    assert [
        "barley" in documents[0].text,
        "wheat" in documents[1].text,
        "oats" in documents[2].text,
    ] == [True] * 3
    assert documents[1].url == "https://sheaf.example/1"


def test_a_heading_that_pages_share_stays() -> None:
    assert scythe.extract_many([page("barley"), page("oats")], method="lbda")[
        0
    ].text.startswith("Harvest")


def test_the_same_page_twice_is_not_emptied() -> None:
    first, second = scythe.extract_many([page("barley"), page("barley")])
    assert first.text == second.text == scythe.extract(page("barley")).text


def test_one_page_or_none() -> None:
    assert scythe.extract_many([]) == []
    assert (
        scythe.extract_many([page("oats")])[0].text == scythe.extract(page("oats")).text
    )
