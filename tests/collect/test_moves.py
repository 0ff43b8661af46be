"""Records recognised under new addresses."""

from __future__ import annotations

from scythe.collect.records.fingerprints import (
    RecordFingerprint,
    RecordWords,
    match_moved,
    match_split,
)


def thing(path: str, title: str, words: str) -> RecordFingerprint:
    return RecordFingerprint.from_fields(
        path, f"https://food.example/{path}", {"title": title, "steps": words.split()}
    )


SOUP = "cut the leek boil it with salt and pepper for ten minutes then serve with bread"
PIE = "roll the dough fill it with apples and sugar bake one hour at medium heat"


def test_same_name_and_content_is_a_move() -> None:
    old = [thing("soup.html", "Leek soup", SOUP), thing("pie.html", "Apple pie", PIE)]
    new = [
        thing("pie/", "Apple pie", PIE),
        thing("soup/", "Leek soup", f"{SOUP} and butter"),
    ]
    assert [(one.key, two.key) for one, two in match_moved(old, new)] == [
        ("soup.html", "soup/"),
        ("pie.html", "pie/"),
    ]


def test_same_name_and_other_content_is_none() -> None:
    assert (
        match_moved(
            [thing("a.html", "Leek soup", SOUP)], [thing("b.html", "Leek soup", PIE)]
        )
        == []
    )


def test_same_content_under_another_name_is_a_move() -> None:
    assert (
        len(
            match_moved(
                [thing("grostl.html", "Grostl", SOUP)],
                [thing("groestl.html", "Gröstl", SOUP)],
            )
        )
        == 1
    )


def test_each_record_moves_once() -> None:
    old = [thing("soup.html", "Leek soup", SOUP)]
    new = [thing("soup/", "Leek soup", SOUP), thing("copy/", "Leek soup", SOUP)]
    assert [(one.key, two.key) for one, two in match_moved(old, new)] == [
        ("soup.html", "soup/")
    ]


def test_a_page_without_named_slots_is_known_by_its_texts() -> None:
    old = [
        thing("soup_info.html", "Leek soup", SOUP),
        thing("pie_info.html", "Pie", PIE),
    ]
    chrome = ["Home", "All recipes", "About us"]
    new = [
        RecordFingerprint.from_page(
            key,
            f"https://food.example/{key}",
            {},
            {"s1": [title], "s2": chrome, "s3": words.split()},
        )
        for key, title, words in (
            ("dishes/7", "Apple pie", PIE),
            ("dishes/9", "Leek soup", f"{SOUP} and a spoon of butter"),
        )
    ]
    assert [(one.key, two.key) for one, two in match_moved(old, new)] == [
        ("soup_info.html", "dishes/9"),
        ("pie_info.html", "dishes/7"),
    ]


def test_a_word_that_all_old_addresses_end_with_is_no_part_of_their_names() -> None:
    stews = {"leek": SOUP, "apple": PIE, "bread": f"{SOUP} {PIE}"}
    old = [thing(f"{name}_info.html", "", words) for name, words in stews.items()]
    edited = SOUP.replace("then serve with bread", "until it is soft")
    new = [thing("dishes/leek", "The leek", edited)]
    assert [(one.key, two.key) for one, two in match_moved(old, new)] == [
        ("leek_info.html", "dishes/leek")
    ]
    others = [thing(f"{name}_build.html", "", PIE) for name in stews]
    assert len(match_moved([*old, *others], new)) == 1
    assert match_moved(old[:1], new) == [], "one address alone ends with any word"


def test_few_words_of_a_record_are_found_on_any_page() -> None:
    old = [thing("about.html", "About", "home recipes")]
    new = [
        RecordFingerprint.from_page(
            "x", "https://food.example/x", {}, {"s": ["Home", "Recipes", "About", SOUP]}
        )
    ]
    assert match_moved(old, new) == []


def test_a_page_of_another_build_has_the_words_of_a_record() -> None:
    known = RecordWords([{"steps": SOUP.split()}, {"steps": PIE.split()}])
    assert known.are_in(f"Home. About us. All recipes. {SOUP} Comments: none yet")
    assert not known.are_in("Home. Roast the leek with pepper and serve it with bread.")
    few = RecordWords([{"title": "Leek soup"}])
    assert not few
    assert not few.are_in("Leek soup")


def test_of_pages_below_a_record_that_say_the_same_the_first_is_it() -> None:
    old = [thing("soup/", "Leek soup", SOUP)]
    new = [
        thing("soup/1", "Leek soup", f"{SOUP} and butter"),
        thing("soup/2", "Leek soup", SOUP),
        thing("soups/", "Leek soup", SOUP),
    ]
    assert [(one.key, two.key) for one, two in match_split(old, new)] == [
        ("soup/", "soup/1")
    ]
    assert match_split(old, [thing("soup/pie", "Pie", PIE)]) == []
