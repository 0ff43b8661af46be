"""Datasette opens the database of a collection: one table, with words for its columns."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from scythe.cli.main import app
from scythe.collect.collection import Collection
from scythe.collect.records.preprocessor import preprocess
from scythe.collect.records.schema import RecordSchema
from scythe.store.collections.records import NewRecord, RecordRows

RECIPE = RecordSchema.builtin("recipe")
HOME = "https://oats.example/"


def test_datasette_shows_the_records_and_hides_what_is_ours(tmp_path: Path) -> None:
    pytest.importorskip("datasette", reason="datasette is not installed")
    from datasette.app import Datasette

    database, metadata = str(tmp_path / "kitchen.db"), tmp_path / "metadata.json"
    raw = {"title": ["Porridge"], "ingredients": ["oats"], "instructions": ["Boil."]}
    fields = preprocess(raw, RECIPE, HOME).fields
    with Collection.add(HOME, "oats", "recipe", db=database) as collection:
        records = RecordRows(collection.store, collection.row.id)
        records.store([NewRecord(HOME + "1", HOME + "1", fields)])
        collection.publish()
    command = ["collect", "datasette", "oats", "--db", database, "-o", str(metadata)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert f"datasette {database} --metadata {metadata}" in done.stderr

    given = json.loads(metadata.read_text())
    site = Datasette([database], metadata=given)

    async def visit() -> tuple[dict[str, Any], dict[str, Any], str]:
        await site.invoke_startup()
        rows = await site.client.get("/kitchen/records_oats.json?_shape=objects")
        tables = await site.client.get("/kitchen.json")
        page = await site.client.get("/kitchen/records_oats")
        return rows.json(), tables.json(), page.text

    rows, tables, page = asyncio.run(visit())
    assert rows["rows"][0]["title"] == "Porridge"
    assert all(table["hidden"] for table in tables["tables"])
    assert [view["name"] for view in tables["views"]] == ["records_oats"]
    assert "The page that the record is from" in page
    assert "oats.example" in page
