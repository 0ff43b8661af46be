"""The plain table of a collection: any program can read it, and it is always in step."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from scythe.errors import NotStored
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.records import NewRecord, Reason, RecordRows
from scythe.store.collections.sql_views import ViewColumn, create_view

COLUMNS = [
    ViewColumn("title"),
    ViewColumn("minutes", number=True),
    ViewColumn('it\'s "odd" %s :x'),
]


def rows(store: Store, sql: str) -> list[tuple[object, ...]]:
    with store.reading() as connection:
        return [tuple(row) for row in connection.execute(text(sql))]


def test_records_are_rows_with_typed_columns(store: Store) -> None:
    number = CollectionRows(store).add("Mo's Oats!", "https://oats.example/", "Recipe")
    name = create_view(store, number, COLUMNS)
    assert name == "records_mo_s_oats"
    records = RecordRows(store, number)
    odd = COLUMNS[2].name
    records.store(
        [
            NewRecord(
                "a", "https://a/", {"title": "Porridge", "minutes": 12.5, odd: ["x"]}
            ),
            NewRecord("b", "b", {"minutes": "long"}),
        ]
    )
    records.store([NewRecord("c", "c", {}, reasons=[Reason("title", "missing")])])
    assert rows(
        store,
        f"SELECT record_url, title, minutes, record_state FROM {name} ORDER BY record_id",
    ) == [
        ("https://a/", "Porridge", 12.5, "ok"),
        ("b", None, None, "ok"),
    ]
    assert rows(store, f"SELECT sum(minutes) FROM {name}") == [(12.5,)]
    records.mark_gone(["a"])
    assert rows(store, f"SELECT record_state FROM {name} ORDER BY record_id") == [
        ("gone",),
        ("ok",),
    ]


def test_a_view_follows_the_schema_and_goes_with_its_collection(store: Store) -> None:
    collections = CollectionRows(store)
    number = collections.add("oats", "https://oats.example/", "Recipe")
    name = create_view(store, number, COLUMNS[:1])
    RecordRows(store, number).store(
        [NewRecord("a", "a", {"title": "Porridge", "minutes": 5})]
    )
    assert (
        create_view(store, number, COLUMNS[:2])
        == name
        == collections.get("oats").table_name
    )
    assert rows(store, f"SELECT minutes FROM {name}") == [(5,)]
    collections.remove("oats")
    assert (
        create_view(
            store, collections.add("oats", "https://oats.example/", "Recipe"), COLUMNS
        )
        == name
    )
    with pytest.raises(NotStored):
        create_view(store, number + 100, COLUMNS)


def test_no_two_views_have_one_name_and_no_foreign_table_is_touched(
    store: Store,
) -> None:
    with store.writing() as connection:
        connection.execute(text("CREATE TABLE records_oats (mine TEXT)"))
    collections = CollectionRows(store)
    names = [
        create_view(store, collections.add(name, "u", "Recipe"), COLUMNS)
        for name in ("oats", "Oats", "屋", "x" * 99)
    ]
    assert names == [
        "records_oats_2",
        "records_oats_3",
        "records_collection",
        "records_" + "x" * 50,
    ]
