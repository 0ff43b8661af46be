"""`scythe bulk` as a user runs it, over the worst that a crawl can hold."""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from crawl import article, page_record, record, response, rows_of
from loopback import ARTICLE, Loopback
from scythe.bulk.reading.warc import WRONG_LENGTH

COMMAND = (sys.executable, "-m", "scythe", "bulk")


def bulk(
    *arguments: str | Path, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, check=False, input=stdin
    )


def heavy_page() -> bytes:
    """A page of 15 MB that takes seconds of work and hundreds of megabytes."""
    return (
        b"<html><body>"
        + b"<div><p>a <b>b</b> <i>c. d</i></p></div>" * 350_000
        + b"</body></html>"
    )


def test_a_crawl_with_everything_that_goes_wrong(tmp_path: Path) -> None:
    good = [page_record(f"https://farm.example/good-{n}", article(n)) for n in range(6)]
    member = gzip.compress(page_record("https://farm.example/damaged", article(9)))
    members = [
        gzip.compress(good[0]),
        gzip.compress(page_record("https://farm.example/heavy", heavy_page())),
        gzip.compress(good[1]),
        member[:40] + b"scribbled over" + member[54:],
        gzip.compress(good[2]),
        gzip.compress(
            page_record("https://farm.example/long", article(7), length=10**9)
        ),
        gzip.compress(page_record("https://farm.example/short", article(8), length=5)),
        gzip.compress(good[3]),
        gzip.compress(
            page_record("https://farm.example/100mb", b"<p>" + b"Hay. " * 20_000_000), 1
        ),
        gzip.compress(
            record(
                "https://farm.example/pdf",
                response("", b"%PDF-1.7", b"application/pdf"),
            )
        ),
        gzip.compress(
            record(
                "https://farm.example/picture",
                response("", b"\x89PNG\r\n\x1a\n", b"image/png"),
            )
        ),
        gzip.compress(
            record(
                "https://farm.example/gone",
                response("", b"<h1>Gone", status=b"410 Gone"),
            )
        ),
        gzip.compress(good[4]),
        b"\x1f\x8b\x08 this is no member at all",
        gzip.compress(good[5]),
        gzip.compress(page_record("https://farm.example/cut", article(10)))[:-50],
    ]
    (tmp_path / "crawl.warc.gz").write_bytes(b"".join(members))
    done = bulk(
        tmp_path / "crawl.warc.gz",
        "-o",
        tmp_path / "out.jsonl",
        "--page-seconds",
        "0.2",
        "--page-memory",
        "2000",
    )
    rows = {row["url"] or row["offset"]: row for row in rows_of(tmp_path / "out.jsonl")}
    found = {
        str(url).rpartition("/")[2]: (row["status"], row["reason"])
        for url, row in rows.items()
        if isinstance(url, str)
    }
    assert all(found[f"good-{n}"][0] == "ok" for n in range(6))
    assert found["heavy"][0] in ("time", "memory")
    assert [
        found[name][1].startswith(WRONG_LENGTH) if found[name][1] else False
        for name in ("long", "short")
    ] == [True, True]
    assert found["100mb"][0] in ("truncated", "time")
    assert [found[name][0] for name in ("pdf", "picture", "gone")] == [
        "not-html",
        "not-html",
        "http-error",
    ]
    assert [
        row["status"]
        for row in rows.values()
        if row["reason"] and "damaged" in row["reason"]
    ] == ["broken"] * 3
    assert len(rows) == len(members)
    assert (done.returncode, done.stdout) == (0, b"")
    first, second = done.stderr.decode().splitlines()
    assert first.startswith("16 pages in ")
    assert "2 not-html" in second
    assert "1 http-error" in second


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("crawl.warc", b"", b"Nothing is in"),
        ("crawl.warc.gz", b"", b"Nothing is in"),
        (
            "crawl.warc",
            b"<p>A page that was saved under the wrong name</p>",
            b"1 broken",
        ),
        ("crawl.warc.gz", gzip.compress(b"<p>A page", mtime=0), b"1 broken"),
        ("crawl.warc.gz", gzip.compress(b"<p>A page" * 99, mtime=0)[:20], b"1 broken"),
        (
            "pages.jsonl.gz",
            gzip.compress(b'{"url": "x"}' * 99, mtime=0)[:20],
            b"1 broken",
        ),
        ("pages.parquet", b"", b"is no Parquet table"),
        ("pages.parquet", b"PAR1 and no table", b"is no Parquet table"),
        ("addresses.txt", b"", b"Nothing is in"),
    ],
)
def test_an_input_without_one_page_is_a_failure(
    tmp_path: Path, name: str, data: bytes, said: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    done = bulk(path, "-o", tmp_path / "out.jsonl")
    assert done.returncode == 1
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_disk_that_is_full_for_a_worker_loses_nothing(tmp_path: Path) -> None:
    crawl, out = tmp_path / "crawl.warc", tmp_path / "out.jsonl"
    pages = [page_record(f"https://farm.example/{n}", article(n)) for n in range(60)]
    crawl.write_bytes(b"".join(pages))

    def fill_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    command = [*COMMAND, str(crawl), "-o", str(out)]
    done = subprocess.run(
        command,
        preexec_fn=fill_disk,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # it would be cut
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"Check the path, its permissions and the free space" in done.stderr
    assert b"Traceback" not in done.stderr
    assert not out.exists()
    assert bulk(crawl, "-o", out).returncode == 0
    assert len(out.read_text().splitlines()) == 60


def test_standard_input_and_a_folder_of_shards(tmp_path: Path) -> None:
    lines = [
        json.dumps({"url": f"https://farm.example/{n}", "html": article(n)})
        for n in range(4)
    ]
    done = bulk(
        "-",
        "-o",
        tmp_path / "out",
        "-m",
        "coreex",
        "-f",
        "jsonl.gz",
        stdin="\n".join(lines).encode(),
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == [
        "part-00000.jsonl.gz"
    ]
    rows = [
        json.loads(line)
        for line in gzip.decompress(
            (tmp_path / "out" / "part-00000.jsonl.gz").read_bytes()
        ).splitlines()
    ]
    assert [row["title"] for row in rows] == [f"Report {n}" for n in range(4)]


def test_a_list_of_addresses(tmp_path: Path, web: Loopback) -> None:
    web.add("/article", ARTICLE.encode())
    web.add("/missing", b"<h1>Missing", status=404)
    names = tmp_path / "names.txt"
    names.write_text(f"{web.url('/article')}\n{web.url('/missing')}\n", "utf-8")
    assert bulk(names, "-o", tmp_path / "out.jsonl").returncode == 0
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["status"] for row in rows] == ["ok", "unread"]
    assert "404" in rows[1]["reason"]
    assert rows[1]["url"] == web.url("/missing")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.warc", "-o", "out.jsonl"], "Cannot read nothing.warc"),
        (["https://farm.example/", "-o", "out.jsonl"], "is one page"),
        (["here.warc", "-o", "out.jsonl", "--to", "wrapper"], "needs a file"),
        (["here.warc", "-o", "out.jsonl", "-f", "parquet"], "does not go with"),
        (["here.bin", "-o", "out.jsonl"], "cannot tell what"),
        (["here.warc", "-o", "out.jsonl", "--to", "template"], "Give --by-site"),
    ],
)
def test_a_wrong_command_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here.warc").write_bytes(page_record("https://farm.example/", article(1)))
    Path("here.bin").write_bytes(b"\x00\x01\x02")
    done = bulk(*arguments)
    assert done.returncode in (1, 2)
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert not Path("out.jsonl").exists()
