"""What the user names becomes pages: files, folders, pipes."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scythe.errors import EmptyInput, FetchError, InputError, NotHtml, UsageError
from scythe.sources import (
    FileSource,
    ReadOptions,
    StandardInput,
    UnreadableFolder,
    UrlSource,
    expand,
)
from scythe.sources.source import is_several

OPTIONS = ReadOptions(max_bytes=1000)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name in (
        "b.html",
        "a.HTM",
        "notes.txt",
        "deep/er/c.xhtml",
        "deep/d.html.gz",
        "deep/picture.png",
        "a.html.bak",
    ):
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            gzip.compress(b"<p>packed") if name.endswith("gz") else b"<p>plain"
        )
    return tmp_path / "site"


def test_a_folder_stands_for_its_pages_in_a_fixed_order(site: Path) -> None:
    found = [
        Path(source.name).relative_to(site).as_posix() for source in expand([str(site)])
    ]
    assert found == ["a.HTM", "b.html", "deep/d.html.gz", "deep/er/c.xhtml"]


def test_the_pages_of_a_folder_keep_their_places(site: Path) -> None:
    assert [source.stem.as_posix() for source in expand([str(site)])] == [
        "a",
        "b",
        "deep/d",
        "deep/er/c",
    ]


def test_packed_and_plain_files_are_read_alike(site: Path) -> None:
    assert [
        source.read(OPTIONS).data
        for source in expand([str(site / "deep"), str(site / "b.html")])
    ] == [
        b"<p>packed",
        b"<p>plain",
        b"<p>plain",
    ]


def test_names_of_each_kind_in_the_order_given(site: Path) -> None:
    names = ["https://courier.example/a.html", "-", str(site / "b.html")]
    assert list(expand(names, url="https://courier.example/")) == [
        UrlSource("https://courier.example/a.html"),
        StandardInput("https://courier.example/"),
        FileSource(site / "b.html", url="https://courier.example/"),
    ]


def test_a_source_can_be_sent_to_another_process(site: Path) -> None:
    for source in expand([str(site), "-", "http://courier.example/"]):
        assert pickle.loads(pickle.dumps(source)) == source


@pytest.mark.parametrize(
    ("url", "stem"),
    [
        (
            "https://courier.example/country/barley.html",
            "courier.example-country-barley",
        ),
        ("http://courier.example:8080/", "courier.example-8080"),
        ("https://me:secret@courier.example/?id=3&q=%20", "courier.example-id-3-q-20"),
        (
            "https://courier.example/../../etc/passwd",
            "courier.example-..-..-etc-passwd",
        ),
        (
            "https://courier.example/" + "long/" * 100,
            ("courier.example-" + "long-" * 100)[:120],
        ),
    ],
)
def test_an_address_gives_a_safe_file_name(url: str, stem: str) -> None:
    assert str(UrlSource(url).stem) == stem


@given(st.text())
def test_any_address_gives_one_harmless_file_name(rest: str) -> None:
    stem = UrlSource("https://" + rest).stem
    assert len(stem.parts) == 1
    assert stem.name not in ("", ".", "..")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("missing.html", "https://"),
        ("www.courier.example/page", "https://"),
        ("a\0b", "Check"),
    ],
)
def test_a_missing_file_says_what_to_check(
    tmp_path: Path, name: str, advice: str
) -> None:
    (source,) = expand([str(tmp_path / name)])
    with pytest.raises(FetchError, match=advice):
        source.read(OPTIONS)


def test_an_empty_name_is_not_the_current_folder() -> None:
    with pytest.raises(UsageError, match="empty name"):
        list(expand([""]))


@given(
    st.text(st.characters(exclude_characters="/\0"), min_size=1).filter(
        lambda name: name not in (".", "..")
    )
)
def test_any_file_gives_one_harmless_file_name(name: str) -> None:
    stem = FileSource(Path("folder", name + ".html"), Path("folder")).stem
    assert len(stem.parts) == 1
    assert stem.name not in ("", ".", "..")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_reported_and_the_rest_is_read(site: Path) -> None:
    (site / "deep").chmod(0)
    (site / "b.html").chmod(0)
    try:
        first, second, third = expand([str(site)])
    finally:
        (site / "deep").chmod(0o700)
    assert first.read(OPTIONS).data == b"<p>plain"
    for source in (second, third):
        with pytest.raises(FetchError, match="permissions"):
            source.read(OPTIONS)


def test_a_folder_without_pages_is_reported(tmp_path: Path) -> None:
    (source,) = expand([str(tmp_path)])
    assert isinstance(source, UnreadableFolder)
    with pytest.raises(FetchError, match="no pages"):
        source.read(OPTIONS)


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"%PDF-1.4\n", "PDF"),
        (b"\n %PDF-1.4\n", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"GIF89a", "GIF"),
        (b"PK\x03\x04", "ZIP"),
        (b"RIFF\x00\x00\x00\x00WEBP", "WebP"),
        (b"\x00\x00\x00\x20ftypisom", "MP4"),
    ],
)
def test_files_of_other_kinds_are_told_by_their_first_bytes(
    tmp_path: Path, start: bytes, kind: str
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(start + b"<p>text</p>")
    with pytest.raises(NotHtml, match=kind):
        FileSource(path).read(OPTIONS)


@pytest.mark.parametrize(
    "blank", [b"", b" \r\n\t", b"\xef\xbb\xbf", b"\xff\xfe \x00\n\x00", b"\x00" * 500]
)
def test_nothing_but_white_space_is_empty(tmp_path: Path, blank: bytes) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(blank)
    with pytest.raises(EmptyInput, match="nothing in"):
        FileSource(path).read(OPTIONS)


def test_a_packed_file_is_unpacked_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.html.gz"
    path.write_bytes(gzip.compress(b"a" * 10_000_000))
    assert FileSource(path).read(OPTIONS).data == b"a" * 1001


def test_a_packed_file_of_several_members_is_one_page(tmp_path: Path) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(b"<p>one ") + gzip.compress(b"<p>two"))
    assert FileSource(path).read(OPTIONS).data == b"<p>one <p>two"


@pytest.mark.parametrize("damage", [slice(0, 20), slice(0, -3)])
def test_a_damaged_packed_file_is_reported(tmp_path: Path, damage: slice) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(bytes(range(200)))[damage])
    with pytest.raises(InputError, match="damaged"):
        FileSource(path).read(OPTIONS)


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<p>piped")))
    assert StandardInput("https://courier.example/").read(OPTIONS).data == b"<p>piped"
    with pytest.raises(UsageError, match="only once"):
        list(expand(["-", "-"]))


def test_only_what_this_process_alone_can_read_is_bound_to_it(
    site: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    names = [
        str(site / "b.html"),
        "http://courier.example/",
        "-",
        str(pipe),
        str(tmp_path / "missing"),
    ]
    assert [source.is_process_local for source in expand(names)] == [
        False,
        False,
        True,
        True,
        False,
    ]


def test_a_pipe_within_a_folder_does_not_block(site: Path) -> None:
    os.mkfifo(site / "pipe.html")
    assert "pipe" not in [source.stem.name for source in expand([str(site)])]


def test_whether_several_pages_may_come_is_decided_by_the_names(site: Path) -> None:
    assert is_several([str(site)])
    assert is_several(["a", "b"])
    assert not is_several(["a"])
    assert not is_several(["-"])
    assert not is_several(["https://courier.example/"])
