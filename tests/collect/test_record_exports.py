"""Records out of the database: every format has the same records, and any program can
read them.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as parquet
import pytest
from openpyxl import load_workbook
from sqlalchemy import text

from scythe.collect.publish.export import (
    Export,
    ExportError,
    export_file,
    export_text,
    publish,
    select_format,
)
from scythe.collect.records.preprocessor import preprocess
from scythe.collect.records.schema import RecordSchema
from scythe.errors import UsageError
from scythe.store import Store
from scythe.store.collections.collections import CollectionRows
from scythe.store.collections.records import NewRecord, RecordRows

RECIPE = RecordSchema.builtin("recipe")
HOME = "https://oats.example/"


def read(title: str, **values: list[str]) -> NewRecord:
    raw = {
        "title": [title],
        "ingredients": ["1 cup oats", "salt"],
        "instructions": ["Boil."],
        **values,
    }
    made = preprocess(raw, RECIPE, HOME)
    return NewRecord(HOME + title, HOME + title, made.fields, reasons=made.reasons)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with Store.open(database) as opened:
        number = CollectionRows(opened).add("oats", HOME, "Recipe")
        records = RecordRows(opened, number)
        records.store(
            [
                read('Mo\'s "best", \n Ünï', cook_time=["PT1H"]),
                read("Gone"),
                read("Doubt", ingredients=[]),
                read("Plain"),
            ]
        )
        records.mark_gone([f"{HOME}Gone"])
        yield opened


def export(store: Store, *, gone: bool = False) -> Export:
    return Export(CollectionRows(store).get("oats"), RECIPE, gone)


def test_csv_has_a_line_of_names_and_one_row_a_record(store: Store) -> None:
    out = io.StringIO()
    assert export_text(store, export(store), out, "csv") == 2
    first, second = csv.DictReader(io.StringIO(out.getvalue()))
    assert (first["title"], first["ingredients"], first["cook_time"]) == (
        'Mo\'s "best", Ünï',
        "1 cup oats\nsalt",
        "60",
    )
    assert json.loads(first["ingredients_parsed"])[0] == {
        "quantity": 1,
        "unit": "cup",
        "item": "oats",
    }
    assert (second["title"], second["cook_time"], second["record_state"]) == (
        "Plain",
        "",
        "ok",
    )
    names = list(first)
    assert names[:3] == ["record_id", "record_url", "title"]
    assert names[-1] == "record_moved_from"


def test_gone_records_are_written_when_asked_for(store: Store) -> None:
    out = io.StringIO()
    assert export_text(store, export(store, gone=True), out, "jsonl") == 3
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [row["record_state"] for row in rows] == ["ok", "gone", "ok"]
    assert rows[0]["ingredients"] == ["1 cup oats", "salt"]
    assert datetime.fromisoformat(rows[1]["record_gone_at"]).tzinfo == UTC


def test_parquet_has_types(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "oats.parquet"
    assert export_file(store, export(store), path, select_format(str(path))) == 2
    table = parquet.read_table(path)
    assert table.column_names == [column.name for column in export(store).columns]
    first = table.to_pylist()[0]
    assert (first["cook_time"], first["ingredients"], first["record_id"]) == (
        60.0,
        ["1 cup oats", "salt"],
        1,
    )
    assert first["ingredients_parsed"][0] == {
        "quantity": 1.0,
        "to": None,
        "unit": "cup",
        "item": "oats",
        "note": None,
    }
    assert first["record_first_seen"].tzinfo is not None


def test_records_of_an_earlier_schema_still_fit_into_parquet(
    store: Store, tmp_path: Path
) -> None:
    schema = (
        RecordSchema("Recipe")
        .with_field("title", "number")
        .with_field("ingredients")
        .with_field("instructions", "ingredients")
    )
    path = tmp_path / "oats.parquet"
    export_file(
        store, Export(CollectionRows(store).get("oats"), schema), path, "parquet"
    )
    first = parquet.read_table(path).to_pylist()[0]
    assert (first["title"], first["ingredients"], first["instructions"]) == (
        None,
        "1 cup oats\nsalt",
        ["Boil."],
    )


def test_the_script_of_sql_makes_the_same_table_elsewhere(store: Store) -> None:
    out = io.StringIO()
    export_text(store, export(store), out, "sql")
    with sqlite3.connect(":memory:") as other:
        other.executescript(out.getvalue())
        (name,) = other.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'"
        ).fetchone()
        rows = other.execute(
            f'SELECT title, cook_time, ingredients FROM "{name}" ORDER BY record_id'
        ).fetchall()
    assert rows[0] == ('Mo\'s "best", Ünï', 60.0, '["1 cup oats", "salt"]')
    assert rows[1][:2] == ("Plain", None)


def test_the_plain_table_is_always_in_step(store: Store) -> None:
    collection = CollectionRows(store).get("oats")
    name = publish(store, collection, RECIPE)
    assert name == "records_oats"

    def rows() -> list[tuple[object, ...]]:
        with store.reading() as connection:
            found = connection.execute(
                text(
                    f"SELECT title, cook_time FROM {name} WHERE record_state = 'ok' ORDER BY record_id"
                )
            )
            return [tuple(row) for row in found]

    assert rows() == [('Mo\'s "best", Ünï', 60.0), ("Plain", None)]
    RecordRows(store, collection.id).store([read("Plain", cook_time=["20 min"])])
    assert rows()[1] == ("Plain", 20.0)
    publish(store, collection, RECIPE.with_field("colour"))
    with store.reading() as connection:
        assert (
            connection.execute(
                text(f"SELECT count(*) FROM {name} WHERE colour IS NULL")
            ).scalar()
            == 3
        )


def test_a_file_is_whole_or_as_it_was(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "oats.csv"
    path.write_text("before")

    def broken(self: Export, store: Store) -> Iterator[dict[str, object]]:
        yield {"record_id": 1}
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Export, "rows", broken)
    with pytest.raises(ExportError, match="No space left"):
        export_file(store, export(store), path, "csv")
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".part"] == []


def test_what_cannot_be_written_is_said(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ExportError, match="cannot be written"):
        export_file(store, export(store), tmp_path / "nowhere" / "oats.csv", "csv")
    with pytest.raises(UsageError, match="no text"):
        export_text(store, export(store), io.StringIO(), "parquet")
    with pytest.raises(UsageError, match="csv, jsonl, parquet, sql"):
        select_format("oats.doc")
    assert select_format("oats.NDJSON") == "jsonl"
    assert select_format("oats.csv", "sql") == "sql"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"scythe\[parquet\]"):
        export_file(store, export(store), tmp_path / "oats.parquet", "parquet")


def test_a_workbook_has_the_same_rows(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "oats.xlsx"
    assert export_file(store, export(store), path, select_format(str(path))) == 2
    head, first, _ = load_workbook(path)["records"].iter_rows(values_only=True)
    row = dict(zip(head, first, strict=True))
    assert row["title"] == 'Mo\'s "best", Ünï'
    assert (row["cook_time"], row["ingredients"]) == (60, "1 cup oats\nsalt")


def test_recipes_are_written_for_programs_that_keep_them(
    store: Store, tmp_path: Path
) -> None:
    """As the importers of Mealie and Tandoor read the folders of Nextcloud Cookbook, and
    archives of Paprika.
    """
    path = tmp_path / "oats.zip"
    assert export_file(store, export(store), path, select_format(str(path))) == 2
    with ZipFile(path) as archive:
        first, second = archive.namelist()
        assert second == "Recipes/Plain/recipe.json"
        recipe = json.loads(archive.read(first))
    assert first == "Recipes/Mo's best , Ünï/recipe.json"
    assert recipe["@type"] == "Recipe"
    assert recipe["recipeIngredient"] == ["1 cup oats", "salt"]
    assert recipe["recipeInstructions"] == ["Boil."]
    assert (recipe["cookTime"], recipe["recipeYield"]) == ("PT1H0M", 1)
    assert recipe["description"] == ""

    packed = tmp_path / "oats.paprikarecipes"
    assert export_file(store, export(store), packed, select_format(str(packed))) == 2
    with ZipFile(packed) as archive:
        one = json.loads(gzip.decompress(archive.read("Plain.paprikarecipe")))
    assert one["ingredients"].split("\n") == ["1 cup oats", "salt"]
    assert (one["directions"], one["source_url"]) == ("Boil.", f"{HOME}Plain")


def test_only_recipes_are_written_as_recipes(store: Store, tmp_path: Path) -> None:
    row = CollectionRows(store).get("oats")
    products = Export(row, RecordSchema.builtin("product"))
    with pytest.raises(UsageError, match="Only recipes"):
        export_file(store, products, tmp_path / "oats.zip", "recipes")


def test_numbers_beyond_all_bounds_are_none_and_break_no_file(tmp_path: Path) -> None:
    schema = RecordSchema.builtin("recipe")
    raw = {
        "title": ["Soup"],
        "total_time": ["P99999999999999999999D"],
        "ingredients": ["9" * 400 + " g salt"],
        "instructions": ["Stir."],
    }
    found = preprocess(raw, schema)
    assert "total_time" not in found.fields
    with Store.open(f"sqlite:///{tmp_path / 'x.db'}") as store:
        rows = CollectionRows(store)
        number = rows.add("kitchen", "https://kitchen.example/", "recipe")
        fields = {**found.fields, "total_time": 10**30, "cook_time": 10**400}
        record = NewRecord("key", "https://kitchen.example/soup", fields)
        RecordRows(store, number).store([record])
        export = Export(rows.get("kitchen"), schema)
        assert export_file(store, export, tmp_path / "x.parquet", "parquet") == 1
