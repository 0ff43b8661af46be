"""The pages of WARC files: from any byte, past any damage."""

from __future__ import annotations

import gzip
import multiprocessing
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawl import page_record, read_all, record, response, write_warc
from scythe.bulk.reading.warc import NO_RECORD_FIRST, WRONG_LENGTH

A, B, C = (
    page_record(f"https://farm.example/{name}", f"<p>{name * 40}") for name in "abc"
)
WHOLE = 1 << 20
SIZES = (40, 97, 211, 500)


def urls(path: Path, size: int = WHOLE) -> list[str]:
    return [entry[2].rpartition("/")[2] for entry in read_all(path, "warc", size)]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [WHOLE, *SIZES])
def test_every_page_is_in_one_partition(
    tmp_path: Path, size: int, packed: bool
) -> None:
    path = write_warc(tmp_path / "crawl.warc", [A, B, C], packed=packed)
    assert urls(path, size) == ["a", "b", "c"]


def test_a_page_has_its_bytes_its_address_and_its_charset(tmp_path: Path) -> None:
    block = response("", "<p>Käse".encode("latin-1"), b"text/html; charset=latin-1")
    path = write_warc(
        tmp_path / "crawl.warc", [record("https://farm.example/cheese", block)]
    )
    assert read_all(path, "warc", WHOLE) == [
        (0, 0, "https://farm.example/cheese", b"<p>K\xe4se", "latin-1", None)
    ]


def test_records_of_other_kinds_are_no_pages(tmp_path: Path) -> None:
    path = write_warc(
        tmp_path / "crawl.warc",
        [
            record("x", b"GET / HTTP/1.1\r\n\r\n", kind="request"),
            B,
            record("y", b"", kind="metadata"),
        ],
    )
    assert urls(path) == ["b"]


@pytest.mark.parametrize("length", [0, 3, 90, 400, 100_000, 10**15, -5])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [WHOLE, *SIZES])
def test_a_wrong_length_costs_no_other_page(
    tmp_path: Path, length: int, packed: bool, size: int
) -> None:
    wrong = page_record("https://farm.example/b", "<p>" + "b" * 40, length)
    path = write_warc(tmp_path / "crawl.warc", [A, wrong, C], packed=packed)
    found = read_all(path, "warc", size)
    assert [entry[2].rpartition("/")[2] for entry in found] == ["a", "b", "c"]
    assert b"b" * 40 in found[1][3]
    assert [entry[-1] for entry in found] == [None, WRONG_LENGTH, None]


@pytest.mark.parametrize("size", [WHOLE, *SIZES])
@pytest.mark.parametrize("damage", ["scribbled", "cut", "gone"])
def test_a_damaged_member_has_an_entry_that_says_so(
    tmp_path: Path, size: int, damage: str
) -> None:
    members = [gzip.compress(member) for member in (A, B, C)]
    broken = {
        "scribbled": members[1][:60] + b"0123456789" + members[1][70:],
        "cut": members[1][:80],
        "gone": b"no gzip at all",
    }
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(members[0] + broken[damage] + members[2])
    found = read_all(path, "warc", size)
    assert [entry[2].rpartition("/")[2] for entry in (found[0], found[2])] == ["a", "c"]
    assert found[1][0] == len(members[0])
    assert "damaged" in found[1][2]
    assert len(found) == 3


def test_a_file_that_ends_in_the_middle_of_a_large_record(tmp_path: Path) -> None:
    import random

    body = bytes(random.Random(1).choices(range(97, 123), k=300_000))
    whole = gzip.compress(A) + gzip.compress(
        page_record("https://farm.example/late", b"<p>" + body)
    )
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(whole[:-5000])
    assert [entry[-1] for entry in read_all(path, "warc", WHOLE)] == [
        None,
        "a gzip member is damaged: it ends in the middle",
    ]


def test_one_member_may_hold_all_records(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "crawl.warc.gz", [A + B + C], packed=True)
    found = read_all(path, "warc", 50)
    assert [entry[:3] for entry in found] == [
        (0, 0, "https://farm.example/a"),
        (0, len(A), "https://farm.example/b"),
        (0, len(A + B), "https://farm.example/c"),
    ]


def test_zeros_behind_the_last_record_are_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc.gz"
    path.write_bytes(gzip.compress(A) + bytes(512))
    assert urls(path) == ["a"]


@pytest.mark.parametrize("size", [WHOLE, *SIZES])
@pytest.mark.parametrize(
    "junk", [b"no record\n" * 30, b"<p>A page that was saved</p>\n"]
)
def test_what_stands_before_the_first_record_has_an_entry_that_says_so(
    tmp_path: Path, junk: bytes, size: int
) -> None:
    path = tmp_path / "crawl.warc"
    path.write_bytes(junk + A + B)
    first, *others = read_all(path, "warc", size)
    assert first[:2] == (0, 0)
    assert first[-1] == NO_RECORD_FIRST
    assert [entry[2].rpartition("/")[2] for entry in others] == ["a", "b"]
    path.write_bytes(junk)
    assert [entry[-1] for entry in read_all(path, "warc", size)] == [NO_RECORD_FIRST]


def test_zeros_and_line_ends_around_records_are_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "crawl.warc"
    path.write_bytes(b"\r\n" + A + bytes(512))
    assert urls(path) == ["a"]


def test_bodies_as_servers_send_them(tmp_path: Path) -> None:
    chunked = response(
        "",
        b"5\r\n<p>he\r\n3\r\nllo\r\n0\r\n\r\n",
        extra=b"Transfer-Encoding: chunked\r\n",
    )
    packed = response(
        "", gzip.compress(b"<p>hello"), extra=b"Content-Encoding: gzip\r\n"
    )
    unpacked = response("", b"<p>hello", extra=b"Content-Encoding: gzip\r\n")
    path = write_warc(
        tmp_path / "crawl.warc",
        [record("x", block) for block in (chunked, packed, unpacked)],
    )
    assert [entry[3] for entry in read_all(path, "warc", WHOLE)] == [b"<p>hello"] * 3


def test_what_is_no_page_says_what_it_is(tmp_path: Path) -> None:
    blocks = [
        response("", b"%PDF-1.7", b"application/pdf"),
        response("", b"\x89PNG\r\n\x1a\n....", b"text/html"),
        response("", b"<h1>Gone", status=b"404 Not Found"),
        b"this is no HTTP at all",
        b"",
    ]
    path = write_warc(
        tmp_path / "crawl.warc",
        [record("https://farm.example/x", block) for block in blocks],
    )
    reasons = [entry[2] for entry in read_all(path, "warc", WHOLE)]
    assert "application/pdf" in reasons[0]
    assert "PNG" in reasons[1]
    assert reasons[2] == "the server answered 404"
    assert len(reasons) == len(blocks)


def test_a_record_of_a_hundred_megabytes_is_read_to_the_limit(tmp_path: Path) -> None:
    large = page_record("https://farm.example/large", b"<p>" + b"x" * 100_000_000)
    path = write_warc(tmp_path / "crawl.warc.gz", [A, large, C], packed=True)
    found = read_all(path, "warc", WHOLE)
    assert [len(entry[3]) for entry in found] == [43, 16_000_001, 43]


BODIES = st.lists(
    st.binary(max_size=300) | st.just(b"\r\n\r\nWARC/1.0 is a format"),
    min_size=1,
    max_size=8,
)


@given(BODIES, st.integers(20, 2000), st.booleans())
def test_any_partitions_have_the_same_pages(
    tmp_path_factory: pytest.TempPathFactory,
    bodies: list[bytes],
    size: int,
    packed: bool,
) -> None:
    path = tmp_path_factory.mktemp("warc") / "crawl.warc"
    write_warc(
        path,
        [
            page_record(f"https://farm.example/{n}", body)
            for n, body in enumerate(bodies)
        ],
        packed=packed,
    )
    assert read_all(path, "warc", size) == read_all(path, "warc", WHOLE)
    assert len(read_all(path, "warc", WHOLE)) == len(bodies)


@given(st.binary(max_size=2000), st.booleans())
def test_any_bytes_are_read_to_their_end(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, packed: bool
) -> None:
    path = tmp_path_factory.mktemp("warc") / "crawl.warc"
    path.write_bytes((gzip.compress(A) if packed else A) + data)
    assert read_all(path, "warc", 100)


MANY = 100_000
"""First lines, members and records that would keep a reader busy for minutes if each
were read with all that follows it.
"""
HOSTILE = {
    "first lines": b"WARC/1.0\r\n" * MANY,
    "packed first lines": gzip.compress(b"WARC/1.0\r\n" * MANY),
    "headers without end": b"WARC/1.0\r\nWARC-Type: response\r\n" * MANY,
    "a header without end": b"WARC/1.0\r\nX: " + b"y" * 10 * MANY,
    "spaces in a header": b"WARC/1.0\r\nX:" + b" " * 10 * MANY + b"\r\n\r\n",
    "beginnings of members": b"\x1f\x8b\x08" * MANY,
    "members of nothing": gzip.compress(b"") * MANY,
    "a member of zeros": gzip.compress(bytes(1_000 * MANY)),
    "wrong lengths behind much": gzip.compress(
        A + bytes(60 * MANY) + page_record("https://farm.example/", "b", 10**9) * 2_000
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_takes_time_in_proportion_to_it(
    tmp_path: Path, name: str
) -> None:
    """The limit is many times what is needed, and far below all pairs of lines."""
    data = HOSTILE[name]
    suffix = ".warc.gz" if data.startswith(b"\x1f\x8b") else ".warc"
    path = tmp_path / f"crawl{suffix}"
    path.write_bytes(data)
    process = multiprocessing.get_context("spawn").Process(
        target=read_within, args=(path, 30)
    )
    process.start()
    process.join()
    assert process.exitcode == 0


def read_within(path: Path, seconds: int) -> None:
    """Read a file in a process that is ended after so many CPU seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    read_all(path, "warc", 1 << 30)


def test_many_records_behind_the_head_of_one_member_are_read(tmp_path: Path) -> None:
    filler = record("https://farm.example/zeros", bytes(5_000_000), kind="metadata")
    path = write_warc(tmp_path / "crawl.warc.gz", [A + filler + B * 300], packed=True)
    assert urls(path) == ["a"] + ["b"] * 300
