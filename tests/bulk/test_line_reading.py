"""The pages of line-by-line files, from any byte of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl import loaded, read_all
from scythe.bulk.page import PagePosition
from scythe.bulk.reading.files import file_state
from scythe.bulk.reading.lines import PageColumns, read_jsonl
from scythe.bulk.reading.partitions import (
    Input,
    InputOptions,
    divide_inputs,
    input_kind,
    read_partition,
)
from scythe.errors import UsageError

WHOLE = 1 << 20


def line(number: int, html: str) -> str:
    return json.dumps({"url": f"https://farm.example/{number}", "html": html})


@given(
    st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=12),
    st.integers(1, 400),
    st.booleans(),
)
def test_any_partitions_have_the_same_lines(
    tmp_path_factory: pytest.TempPathFactory, pages: list[str], size: int, ended: bool
) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "pages.jsonl"
    path.write_text(
        "\n".join(line(n, html) for n, html in enumerate(pages))
        + ("\n" if ended else ""),
        "utf-8",
    )
    assert read_all(path, "jsonl", size) == read_all(path, "jsonl", WHOLE)
    assert len(read_all(path, "jsonl", WHOLE)) == len(pages)


@given(st.integers(0, 30))
def test_reading_goes_on_behind_any_page(
    tmp_path_factory: pytest.TempPathFactory, after: int
) -> None:
    path = tmp_path_factory.mktemp("jsonl") / "pages.jsonl"
    path.write_text("\n".join(line(n, f"<p>{n}") for n in range(5)), "utf-8")
    options = InputOptions()
    (partition,) = divide_inputs([Input("jsonl", file_state(str(path)))], options)
    every = [entry.position for entry in read_partition(partition, options)]
    position = every[after % 5]
    assert [
        entry.position for entry in read_partition(partition, options, position)
    ] == [other for other in every if other > position]


def test_what_is_no_page_says_why(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    lines = [
        "[1, 2]",
        '{"html": 5}',
        '{"html": ""}',
        "[" * 100_000,
        '{"content": "<p>Hay", "URL": "https://farm.example/"}',
        "\x00",
    ]
    path.write_text("\n".join(lines), "utf-8")
    found = read_all(path, "jsonl", WHOLE)
    assert [
        next(
            word
            for word in (
                "no JSON object",
                "no page",
                "nothing in",
                "nested",
                "not JSON",
                "farm",
            )
            if word in str(entry)
        )
        for entry in found
    ] == ["no JSON object", "no page", "nothing in", "nested", "farm", "not JSON"]


def test_a_line_that_is_too_long_is_left_out_whole(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(
        "\n".join([line(1, "<p>a"), line(2, "x" * 3_000_000), line(3, "<p>c")]), "utf-8"
    )
    found = [
        loaded(entry)
        for entry in read_jsonl(str(path), (0, WHOLE * 8), None, PageColumns(), 100)
    ]
    assert [entry[2] for entry in found] == [
        "https://farm.example/1",
        "its line is longer than a page may be",
        "https://farm.example/3",
    ]


def test_packed_lines_are_read_from_their_beginning(tmp_path: Path) -> None:
    text = "\n".join(line(n, f"<p>{n}") for n in range(20))
    path = tmp_path / "pages"
    path.write_bytes(gzip.compress(text.encode()))
    assert input_kind(str(path)) == "jsonl"
    assert [entry[2].rpartition("/")[2] for entry in read_all(path, "jsonl", 10)] == [
        str(n) for n in range(20)
    ]
    (partition,) = divide_inputs(
        [Input("jsonl", file_state(str(path)))], InputOptions()
    )
    behind = list(
        read_partition(partition, InputOptions(), PagePosition(len(text) // 2))
    )
    assert 5 < len(behind) < 15


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.warc.gz", b"", "warc"),
        ("a", b"WARC/1.0\r\n", "warc"),
        ("b", gzip.compress(b"WARC/1.0\r\n", mtime=0), "warc"),
        ("c", b"PAR1....", "parquet"),
        ("d", b' {"html": ""}', "jsonl"),
        ("e", b"https://farm.example/", "list"),
    ],
)
def test_files_are_told_by_name_or_beginning(
    tmp_path: Path, name: str, data: bytes, kind: str
) -> None:
    (tmp_path / name).write_bytes(data)
    assert input_kind(str(tmp_path / name)) == kind


def test_what_cannot_be_told_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\x1f\x8b\x08broken")
    with pytest.raises(UsageError, match="cannot tell"):
        input_kind(str(tmp_path / "x"))
