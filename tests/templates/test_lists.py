"""Lists and columns: what every page of a sample has as many of."""

from __future__ import annotations

import pytest

from scythe.templates.template.template import Template

GENRES = "drama comedy crime war western horror musical family".split()


def film(number: int, genres: int, mark: str) -> str:
    """A film with a list of genres, in one of several marks-up."""
    chosen = [GENRES[(3 * number + step) % len(GENRES)] for step in range(genres)]
    items = {
        "li": "".join(f"<li>{genre}</li>" for genre in chosen),
        "a": ", ".join(f"<a href=/{genre}>{genre}</a>" for genre in chosen),
    }
    box = f"<ul>{items['li']}</ul>" if mark == "li" else f"<p>{items['a']}</p>"
    return (
        f"<body><h1>Film {number}</h1><div class=genres>{box}</div>"
        f"<div class=plot>It is the story no. {number}.</div></body>"
    )


@pytest.mark.parametrize("mark", ["li", "a"])
def test_a_list_that_is_as_long_on_all_sample_pages_stays_a_list(mark: str) -> None:
    template = Template.induce([film(number, 3, mark) for number in range(5)])
    (genres,) = [
        slot for slot in template.slots if slot.repeatable and slot.kind == "text"
    ]
    template.name(genres.id, "genre")
    for number, count in enumerate((1, 2, 5, 3), 5):
        page = film(number, count, mark)
        template.update(page)
        assert len(template.record(page)["genre"]) == count


def test_columns_of_other_kinds_of_text_stay_columns() -> None:
    def page(number: int) -> str:
        return (
            f"<body><h1>Film {number}</h1><ul><li>{1990 + number}</li>"
            f"<li>{GENRES[number]}</li><li>{90 + number} min</li></ul></body>"
        )

    template = Template.induce([page(number) for number in range(4)])
    assert not any(slot.repeatable for slot in template.slots)
    read = template.extract(page(5))
    assert ["1995"] in read.values()
    assert [GENRES[5]] in read.values()


def test_a_row_with_many_values_is_a_row_like_others() -> None:
    def page(number: int, cast: int) -> str:
        names = ", ".join(
            f"<a href=/{n}>{GENRES[n % 8]} {number}</a>" for n in range(cast)
        )
        return (
            f"<body><div><p><b>Year:</b> {1990 + number}</p>"
            f"<p><b>Studio:</b> Number {number}</p><p><b>Cast:</b> {names}</p></div></body>"
        )

    template = Template.induce([page(1, 9), page(2, 8), page(3, 2)])
    actors = [
        slot for slot in template.slots if slot.label == "Cast:" and slot.kind == "text"
    ]
    assert len(actors) == 1
    assert len(template.extract(page(4, 7))[actors[0].id]) == 7
