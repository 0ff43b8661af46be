"""Pages with the same text, or nearly: the first stays, the others say which it is."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from crawl import page_record, rows_of, write_warc
from scythe.bulk import BulkOptions, Documents, InputOptions, run
from scythe.bulk.output.duplicates import (
    Duplicates,
    TextSketcher,
    first_exact_duplicates,
    first_near_duplicates,
)
from scythe.templates.clusters.sketch import SIGNATURE_SIZE

WORDS = "hay straw barn field mill grain scythe whetstone meadow dew noon cart horse rick swath".split()


def text(seed: int, length: int = 200) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length)) + f" number {seed}"


def rows(tmp_path: Path, texts: list[str], kind: Duplicates) -> list[tuple[str, bool]]:
    pages = [
        page_record(
            f"https://farm.example/{n}", f"<article><h1>T</h1><p>{body}</p></article>"
        )
        for n, body in enumerate(texts)
    ]
    crawl = write_warc(tmp_path / "crawl.warc", pages)
    inputs = InputOptions(partition_bytes=2000)
    options = BulkOptions(workers=2, inputs=inputs, duplicates=kind)
    summary = run([crawl], tmp_path / "out.jsonl", Documents(method="coreex"), options)
    found = rows_of(tmp_path / "out.jsonl")
    assert summary.statuses["duplicate"] == sum(
        row["status"] == "duplicate" for row in found
    )
    assert all((row["text"] is None) == (row["status"] == "duplicate") for row in found)
    assert all(
        "the page at 0 in" in row["reason"]
        for row in found
        if row["status"] == "duplicate"
    )
    return [(row["status"], row["url"]) for row in found]


def test_the_same_text_stays_once(tmp_path: Path) -> None:
    found = rows(
        tmp_path, [text(1), text(2), text(1).upper(), text(1) + " more"], "exact"
    )
    assert [status for status, _ in found] == ["ok", "ok", "duplicate", "ok"]


def test_nearly_the_same_text_stays_once(tmp_path: Path) -> None:
    changed = text(1).replace("number 1", "number one, changed")
    found = rows(tmp_path, [text(1), text(2), changed, text(3)], "near")
    assert [status for status, _ in found] == ["ok", "ok", "duplicate", "ok"]


def sketches(texts: list[str]) -> np.ndarray:
    sketcher = TextSketcher("near")
    return np.frombuffer(
        b"".join(sketcher.sketch({"text": text}) for text in texts), np.uint8
    ).reshape(-1, sketcher.size)


def like(texts: list[str]) -> list[int]:
    found = sketches(texts)
    first = first_exact_duplicates(np.ascontiguousarray(found[:, :16]).view(np.uint64))
    return first_near_duplicates(
        first, np.ascontiguousarray(found[:, 16:]).view(np.uint32)
    ).tolist()


def test_near_duplicates_by_likeness() -> None:
    base = text(5, 400).split()
    few, many = list(base), list(base)
    few[100] = few[300] = "thunder"
    for index in range(0, 400, 12):
        many[index] = "thunder"
    assert like([" ".join(words) for words in (base, few, many)]) == [0, 0, 2]


def test_short_and_empty_texts_are_compared_exactly() -> None:
    assert like(["", "hay", "", "hay", "Hay!", "straw", "你好世界", "你好世界"]) == [
        0,
        1,
        2,
        1,
        1,
        5,
        6,
        6,
    ]


@given(st.lists(st.integers(0, 5), max_size=30))
def test_the_first_of_each_kind_stays(seeds: list[int]) -> None:
    assert like([text(seed, 60) for seed in seeds]) == [
        seeds.index(seed) for seed in seeds
    ]


def test_a_sketch_is_the_same_in_every_process() -> None:
    sketch = TextSketcher("near").sketch({"text": text(1)})
    assert len(sketch) == 16 + 4 * SIGNATURE_SIZE
    assert (
        sketch[:4].hex()
        == TextSketcher("exact").sketch({"markdown": text(1)})[:4].hex()
    )
