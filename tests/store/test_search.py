"""Search: both databases find the same records by words, values and numbers, and always
those that are stored now.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, text, update

from scythe.errors import NotStored
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.record_edits import OperatorRecords
from scythe.store.collections.records import NewRecord, Reason, RecordSource
from scythe.store.search import index, index_writer
from scythe.store.search.bitmaps import CHUNK_SIZE, count_shared, pack_bits, unpack_bits
from scythe.store.search.query import (
    FacetFilter,
    NumberRange,
    RecordQuery,
    Search,
    SearchResult,
)
from scythe.store.search.tables import FACETS, SEARCHES, TEXTS
from scythe.store.search.words import Term, parse_query, search_words

RECIPES: dict[str, dict[str, Any]] = {
    "soup": {
        "title": "Crème brûlée soup",
        "ingredients": ["2 tomatoes", "1 onion"],
        "ingredients_parsed": [
            {"quantity": 2, "item": "tomatoes"},
            {"quantity": 1, "item": "onion"},
        ],
        "total_time": 25,
        "category": "Dinner, Soup",
        "published": "2024-05-03",
    },
    "bread": {
        "title": "Rye bread",
        "ingredients": ["500 g rye", "salt"],
        "ingredients_parsed": [
            {"quantity": 500, "unit": "g", "item": "rye"},
            {"item": "salt"},
        ],
        "instructions": ["Knead the dough.", "Serve with tomato soup."],
        "total_time": 120,
        "category": "dinner",
        "published": "2023-01-31",
    },
    "salad": {
        "title": "番茄沙拉 Straße",
        "ingredients": ["西红柿", "salt"],
        "ingredients_parsed": [{"item": "西红柿"}, {"item": "salt"}],
        "category": "Lunch",
        "image": "https://pictures.example/salad.jpg",
    },
}
DOUBT = Reason("ingredients", "missing", "", "There are no ingredients.")


@pytest.fixture
def number(store: Store) -> int:
    return CollectionRows(store).add("oats", "https://oats.example/", "Recipe")


@pytest.fixture
def records(store: Store, number: int) -> OperatorRecords:
    rows = OperatorRecords(store, number)
    rows.store([read(name, fields) for name, fields in RECIPES.items()])
    return rows


@pytest.fixture
def search(store: Store, number: int, records: OperatorRecords) -> Search:
    return Search(store, number)


def read(name: str, fields: dict[str, Any], *reasons: Reason) -> NewRecord:
    return NewRecord(
        name, f"https://oats.example/{name}", fields, RecordSource(), reasons
    )


def names(search: Search, records: OperatorRecords, wanted: RecordQuery) -> list[str]:
    known = {row.id: row.key for row in records.all()}
    return [known[record] for record in search.find(wanted).records]


def facets(found: SearchResult) -> dict[str, dict[str, int]]:
    return {
        counts.field: {each.value: each.records for each in counts.values}
        for counts in found.facets
    }


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("tomato", {"soup", "bread"}),
        ("TOMATOES", {"soup", "bread"}),
        ("tomato soup", {"soup", "bread"}),
        ('"tomato soup"', {"bread"}),
        ('"soup tomato"', set()),
        ("creme brulee", {"soup"}),
        ("tom*", {"soup", "bread"}),
        ("strasse", {"salad"}),
        ("番茄", {"salad"}),
        ("茄番", set()),
        ("tomato -onion", {"bread"}),
        ('-"tomato soup"', {"soup", "salad"}),
        ("-salt -tomato", set()),
        ("pictures", set()),
        ("", {"soup", "bread", "salad"}),
        ('" - * "" ( ) : ^ NEAR(', set()),
        ("and", set()),
        ("' & | ! <-> :*", {"soup", "bread", "salad"}),
    ],
)
def test_words_find_what_has_them(
    search: Search, records: OperatorRecords, words: str, wanted: set[str]
) -> None:
    assert set(names(search, records, RecordQuery(words))) == wanted
    assert search.find(RecordQuery(words)).total == len(wanted)


def test_titles_come_first(search: Search, records: OperatorRecords) -> None:
    assert names(search, records, RecordQuery("soup")) == ["soup", "bread"]
    assert names(search, records, RecordQuery("rye")) == ["bread"]
    assert names(search, records, RecordQuery("soup", sort="newest")) == [
        "bread",
        "soup",
    ]


def test_where_many_answer_titles_come_first_as_well(
    search: Search, records: OperatorRecords, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scythe.store.search.query.MAX_RANKED", 1)
    assert names(search, records, RecordQuery("soup")) == ["soup", "bread"]
    assert names(search, records, RecordQuery('"tomato soup"')) == ["bread"]
    assert names(search, records, RecordQuery("so*")) == ["soup", "bread"]


def test_records_come_in_any_order(search: Search, records: OperatorRecords) -> None:
    assert names(search, records, RecordQuery()) == ["salad", "bread", "soup"]
    assert names(search, records, RecordQuery(sort="title")) == [
        "soup",
        "bread",
        "salad",
    ]
    assert names(search, records, RecordQuery(sort="total_time")) == [
        "soup",
        "bread",
        "salad",
    ], "what has no number comes last"
    assert names(search, records, RecordQuery(sort="-total_time")) == [
        "bread",
        "soup",
        "salad",
    ]
    assert names(search, records, RecordQuery(sort="published")) == [
        "bread",
        "soup",
        "salad",
    ]
    assert names(search, records, RecordQuery(sort="no such field")) == [
        "salad",
        "bread",
        "soup",
    ]
    records.store([read("soup", {**RECIPES["soup"], "total_time": 30})])
    assert names(search, records, RecordQuery(sort="changed"))[0] == "soup"
    assert [found.field for found in search.number_fields()] == [
        "published",
        "total_time",
    ]


def test_pages_follow_each_other(search: Search) -> None:
    pages = [
        search.find(RecordQuery(sort="title"), offset, 2).records
        for offset in (0, 2, 4)
    ]
    assert [len(page) for page in pages] == [2, 1, 0]
    assert [*pages[0], *pages[1]] == search.all(RecordQuery(sort="title"))


def test_values_and_numbers_narrow(search: Search, records: OperatorRecords) -> None:
    dinner = FacetFilter("category", "DINNER")
    assert set(names(search, records, RecordQuery(chosen=(dinner,)))) == {
        "soup",
        "bread",
    }
    assert names(
        search,
        records,
        RecordQuery(chosen=(dinner, FacetFilter("ingredients", "tomato"))),
    ) == ["soup"]
    assert names(search, records, RecordQuery("bread", chosen=(dinner,))) == ["bread"]
    assert (
        names(
            search, records, RecordQuery(chosen=(FacetFilter("category", "no such"),))
        )
        == []
    )
    assert (
        names(search, records, RecordQuery(chosen=(FacetFilter("nothing", "dinner"),)))
        == []
    )
    assert names(
        search, records, RecordQuery(ranges=(NumberRange("total_time", None, 30),))
    ) == ["soup"]
    assert names(
        search,
        records,
        RecordQuery(
            ranges=(NumberRange("total_time", 25, 121), NumberRange("total_time", 26))
        ),
    ) == ["bread"]
    assert (
        names(search, records, RecordQuery(ranges=(NumberRange("nothing", 0),))) == []
    )


def test_facets_count_what_was_found(search: Search) -> None:
    everything = facets(search.find(RecordQuery()))
    assert everything["category"] == {"Dinner": 2, "Lunch": 1, "Soup": 1}
    assert facets(search.find(RecordQuery("onion")))["ingredients"] == {
        "onion": 1,
        "tomatoes": 1,
    }
    assert [counts.field for counts in search.find(RecordQuery()).numbers] == [
        "published",
        "total_time",
    ]
    assert search.find(RecordQuery("onion")).numbers[1].numbers.tolist() == [25.0]


def test_many_records_are_counted_as_few_are(
    store: Store, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(5)
    things = [f"thing {letter}" for letter in "abcdefgh"]
    made = [
        {
            "title": f"Dish {place}",
            "category": chance.choice(things),
            "keywords": ", ".join(chance.sample(things, 3)),
        }
        for place in range(300)
    ]
    CollectionRows(store).add("other", "https://other.example/", "Recipe")
    other = OperatorRecords(store, number + 1)
    rows = OperatorRecords(store, number)
    for start in range(0, 300, 60):
        rows.store(
            [read(str(place), made[place]) for place in range(start, start + 60)]
        )
        other.store([read(str(place), made[0]) for place in range(start, start + 60)])
    search = Search(store, number)
    wanted = RecordQuery(chosen=(FacetFilter("keywords", "thing b"),))
    few = search.find(wanted)
    monkeypatch.setattr("scythe.store.search.facet_counts.MAX_READ_RECORDS", 10)
    assert search.find(wanted).facets == few.facets
    matching = [fields for fields in made if "thing b" in fields["keywords"]]
    assert few.total == len(matching)
    assert facets(few)["category"] == {
        thing: count
        for thing in things
        if (count := sum(fields["category"] == thing for fields in matching))
    }


def test_the_index_follows_every_change(
    store: Store, number: int, search: Search, records: OperatorRecords
) -> None:
    records.store([read("bread", {"title": "Cake", "category": "Dessert"})])
    assert names(search, records, RecordQuery("rye")) == []
    assert names(
        search, records, RecordQuery("cake", (FacetFilter("category", "dessert"),))
    ) == ["bread"]
    assert (
        names(search, records, RecordQuery(chosen=(FacetFilter("ingredients", "rye"),)))
        == []
    )
    assert (
        names(search, records, RecordQuery(ranges=(NumberRange("total_time", 60),)))
        == []
    )
    records.mark_gone(["bread"])
    assert names(search, records, RecordQuery("cake")) == []
    assert names(search, records, RecordQuery("cake", states=("gone",))) == ["bread"]
    records.store([read("bread", {"title": "Cake"})])
    assert names(search, records, RecordQuery("cake")) == ["bread"]
    records.store(
        [
            read("soup", {"title": "Cookies on this site"}, DOUBT),
            read("odd", {"title": "Cookies"}, DOUBT),
        ]
    )
    assert names(search, records, RecordQuery("cookies")) == [], (
        "values in doubt are not shown"
    )
    assert names(search, records, RecordQuery("onion")) == ["soup"], "good ones stay"
    records.accept("odd")
    assert names(search, records, RecordQuery("cookies")) == ["odd"]
    CollectionRows(store).remove("oats")
    with store.reading() as connection:
        for table in (TEXTS, FACETS, SEARCHES):
            assert connection.execute(table.select()).all() == []
    with pytest.raises(NotStored):
        search.find(RecordQuery("cake"))


def test_a_record_that_proves_to_be_another_is_found_once(
    search: Search, records: OperatorRecords
) -> None:
    records.store([read("new bread", RECIPES["bread"])])
    records.move("bread", "new bread", "https://oats.example/new-bread")
    assert names(search, records, RecordQuery("rye")) == ["new bread"]
    assert search.find(RecordQuery()).total == 3
    assert facets(search.find(RecordQuery("rye")))["ingredients"] == {
        "rye": 1,
        "salt": 1,
    }


def test_a_database_from_before_is_indexed_in_turn(
    store: Store,
    number: int,
    search: Search,
    records: OperatorRecords,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = [search.find(RecordQuery(words)) for words in ("", "tomato", "salt")]
    with store.writing() as connection:
        connection.execute(update(SEARCHES).values(rules=0))
    records.store([read("bread", {**RECIPES["bread"], "author": "Mo"})])
    records.store([read("late", {"title": "Oat cakes", "category": "Dinner"})])
    monkeypatch.setattr(index, "BATCH", 2)
    assert names(search, records, RecordQuery("mo")) == ["bread"]
    assert names(search, records, RecordQuery("cakes")) == ["late"]
    records.mark_gone(["late"])
    assert [
        search.find(RecordQuery(words)).records for words in ("", "tomato", "salt")
    ] == [found.records for found in before]
    with store.writing() as connection:
        connection.execute(delete(SEARCHES))
    assert search.find(RecordQuery("mo")).total == 1


def test_fields_whose_values_nobody_shares_are_left_out(
    store: Store, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_writer, "MAX_TERMS", 20)
    rows = OperatorRecords(store, number)
    for start in (0, 20, 40):
        made = range(start, start + 20)
        rows.store(
            [
                read(
                    str(each), {"title": "Scythe", "sku": f"S{each}", "color": "green"}
                )
                for each in made
            ]
        )
    with store.reading() as connection:
        assert set(
            connection.execute(
                FACETS.select().with_only_columns(FACETS.c.field)
            ).scalars()
        ) == {"record_state", "color"}
    assert (
        Search(store, number)
        .find(RecordQuery(chosen=(FacetFilter("color", "Green"),)))
        .total
        == 60
    )


def test_the_full_text_index_of_sqlite_is_whole(
    store: Store, search: Search, records: OperatorRecords
) -> None:
    records.store([read("bread", {"title": "Cake"})])
    records.move("soup", "moved", "https://oats.example/moved")
    if not store.is_postgresql:
        with store.writing() as connection:
            connection.execute(
                text(
                    "INSERT INTO collection_record_words (collection_record_words) VALUES ('integrity-check')"
                )
            )


_TYPED = st.text(max_size=60) | st.lists(
    st.sampled_from(
        [
            "soup",
            "tomato",
            "so*",
            '"',
            "-",
            "salt",
            "rye bread",
            "AND",
            "OR",
            "NOT",
            "NEAR",
            "(",
            ":*",
            "西",
            "\0",
            "é",
        ]
    )
).map(" ".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(_TYPED)
@example("\ud800")
@example("'" * 300)
@example("a* " * 200)
def test_anything_that_is_typed_gets_the_answer_of_the_words(
    search: Search, records: OperatorRecords, typed: str
) -> None:
    question = parse_query(typed)
    known = {row.id: row.fields or {} for row in records.all()}
    wanted = {
        record
        for record, fields in known.items()
        if all(_has(fields, term) for term in question.required)
        and not any(_has(fields, term) for term in question.excluded)
    }
    assert set(search.all(RecordQuery(typed))) == wanted


def _has(fields: Mapping[str, Any], term: Term) -> bool:
    """Whether a record has words that follow each other, as a reader would find it out."""
    title = search_words(fields["title"])
    rest = [
        word
        for name in ("ingredients", "instructions")
        for line in fields.get(name, ())
        for word in search_words(line)
    ]
    rest += search_words(fields.get("category", ""))
    size = len(term.words)
    for words in (title, rest):
        for start in range(len(words) - size + 1):
            part = words[start : start + size]
            last = (
                part[-1].startswith(term.words[-1])
                if term.prefix
                else part[-1] == term.words[-1]
            )
            if last and tuple(part[:-1]) == term.words[:-1]:
                return True
    return False


@given(
    st.sets(st.integers(0, CHUNK_SIZE - 1), max_size=600)
    | st.just(set(range(CHUNK_SIZE))),
    st.sets(st.integers(0, CHUNK_SIZE - 1)),
)
def test_members_are_kept_as_places_or_as_bits(
    members: set[int], others: set[int]
) -> None:
    bits, among = np.zeros(CHUNK_SIZE, np.bool_), np.zeros(CHUNK_SIZE, np.bool_)
    bits[list(members)] = True
    among[list(others)] = True
    stored = pack_bits(bits)
    assert len(stored) <= CHUNK_SIZE // 8
    assert np.array_equal(unpack_bits(stored), bits)
    assert count_shared(stored, among) == len(members & others)
