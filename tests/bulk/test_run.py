"""A whole run: the same rows however it is done, every page once, nothing lost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from crawl import (
    article,
    articles_warc,
    page_record,
    record,
    response,
    rows_of,
    untimed,
    write_warc,
)
from loopback import ARTICLE, Loopback
from scythe.bulk import (
    BulkOptions,
    CrawlPage,
    Documents,
    InputOptions,
    ListRecords,
    extract_page,
    iterate_rows,
    page_rows,
    run,
)
from scythe.bulk.output.journal import lock
from scythe.bulk.output.tables import COLUMNS
from scythe.bulk.reading.files import create_file
from scythe.errors import UsageError
from scythe.sources import ReadOptions

QUICK = Documents(method="coreex")
SMALL_PARTITIONS = InputOptions(partition_bytes=700)


def done(
    tmp_path: Path, *inputs: Path, out: str = "out.jsonl", **options: object
) -> list[dict[str, object]]:
    options = {"inputs": SMALL_PARTITIONS, "workers": 2, **options}
    run(inputs, tmp_path / out, QUICK, BulkOptions(**options))  # type: ignore[arg-type]
    return rows_of(tmp_path / out)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return articles_warc(tmp_path_factory.mktemp("crawl") / "crawl.warc.gz", 24)


def test_every_page_has_a_row_in_its_order(tmp_path: Path, crawl: Path) -> None:
    rows = done(tmp_path, crawl)
    assert [row["url"] for row in rows] == [
        f"https://farm.example/{number}" for number in range(24)
    ]
    assert {tuple(row) for row in rows} == {COLUMNS["documents"]}
    assert rows[3]["title"] == "Report 3"
    assert "Field 3 was mown on day 1" in str(rows[3]["text"])
    assert (rows[0]["source"], rows[0]["offset"], rows[0]["markdown"]) == (
        str(crawl),
        0,
        None,
    )


def test_any_number_of_workers_and_partitions_gives_the_same_rows(
    tmp_path: Path, crawl: Path
) -> None:
    one = done(tmp_path, crawl, out="one.jsonl", workers=1, inputs=InputOptions())
    assert untimed(done(tmp_path, crawl, out="two.jsonl")) == untimed(one)


def test_without_timings_runs_are_the_same_to_the_byte(
    tmp_path: Path, crawl: Path
) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        done(tmp_path, crawl, out=name, timings=False)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_a_row_is_what_extract_page_gives(tmp_path: Path, crawl: Path) -> None:
    row = extract_page(
        {
            "url": "https://farm.example/5",
            "html": article(5),
            "source": str(crawl),
            "offset": 0,
        },
        QUICK,
    )
    captured = {"date", "record_id", "http_status"}
    assert {row[name] for name in captured} == {None}
    (expected,) = (
        row for row in done(tmp_path, crawl) if row["url"] == "https://farm.example/5"
    )
    of_the_crawl = {name: expected[name] for name in ("offset", *captured)}
    assert untimed([{**row, **of_the_crawl}]) == untimed([expected])


def test_a_row_says_when_and_how_its_page_was_fetched(tmp_path: Path) -> None:
    answers = [b"200 OK", b"404 Not Found"]
    records = [
        record(
            "https://farm.example/", response("", article(1).encode(), status=answer)
        )
        for answer in answers
    ]
    crawl = write_warc(tmp_path / "crawl.warc", records)
    for by_site in (False, True):
        out = tmp_path / f"{by_site}.jsonl"
        run([crawl], out, QUICK, BulkOptions(workers=1, by_site=by_site))
        rows = rows_of(out)
        assert [row["status"] for row in rows] == ["ok", "http-error"]
        assert [row["http_status"] for row in rows] == [200, 404]
        assert {row["date"] for row in rows} == {"2024-01-01T00:00:00Z"}
        assert all(str(row["record_id"]).startswith("urn:uuid:0") for row in rows)


def test_a_row_names_the_language_of_the_text_where_the_page_does_not(
    tmp_path: Path, crawl: Path
) -> None:
    metadata = done(tmp_path, crawl)[0]["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["language"] == "en"


def test_processes_of_other_engines_share_the_pages(
    tmp_path: Path, crawl: Path
) -> None:
    shares = [
        list(iterate_rows([crawl], QUICK, SMALL_PARTITIONS, share=(number, 3)))
        for number in range(3)
    ]
    assert all(shares)
    addresses = sorted([str(row["url"]) for share in shares for row in share])
    assert addresses == sorted([str(row["url"]) for row in done(tmp_path, crawl)])
    with pytest.raises(UsageError, match="no share 3 of 3"):
        next(iterate_rows([crawl], QUICK, share=(3, 3)))


def test_a_folder_gets_shards_of_a_bounded_size(tmp_path: Path, crawl: Path) -> None:
    whole = done(tmp_path, crawl)
    summary = run(
        [crawl],
        tmp_path / "shards",
        QUICK,
        BulkOptions(workers=2, inputs=SMALL_PARTITIONS, shard_bytes=4000),
    )
    shards = sorted((tmp_path / "shards").iterdir())
    assert [str(shard) for shard in shards] == list(summary.files)
    assert len(shards) > 3
    largest = max(
        len(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()
    )
    assert all(shard.stat().st_size <= 4000 + largest for shard in shards)
    assert untimed([row for shard in shards for row in rows_of(shard)]) == untimed(
        whole
    )


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.jsonl.zst", "out.parquet"])
def test_the_same_rows_in_every_format(tmp_path: Path, crawl: Path, name: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = done(tmp_path, crawl)
    run([crawl], tmp_path / name, QUICK, BulkOptions(workers=1))
    if name.endswith(".parquet"):
        rows = pq.read_table(tmp_path / name).to_pylist()
    else:
        data = (tmp_path / name).read_bytes()
        text = (
            gzip.decompress(data)
            if name.endswith(".gz")
            else pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()
        )
        rows = [json.loads(line) for line in text.decode().splitlines()]
    assert untimed(rows) == untimed(whole)


def test_records_as_a_table(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    items = "".join(
        f"<li class=tool><a href=/t{n}>Tool number {n}</a> <span>{n + 10}.50 EUR</span><p>Cuts grass {n}.</p>"
        for n in range(8)
    )
    pages = [
        page_record("https://shed.example/list", f"<ul>{items}</ul>"),
        page_record("https://shed.example/none", "<p>Closed"),
    ]
    path = write_warc(tmp_path / "crawl.warc", pages)
    run([path], tmp_path / "out.parquet", ListRecords(), BulkOptions(workers=1))
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(row["status"], row["record"]) for row in rows] == [
        *(("ok", n) for n in range(8)),
        ("empty", None),
    ]
    assert rows[2]["link"] == "https://shed.example/t2"
    assert "12.50 EUR" in rows[2]["text"]
    assert tuple(rows[0]) == COLUMNS["records"]


def test_a_run_with_other_settings_is_refused(tmp_path: Path, crawl: Path) -> None:
    stop_at_once(tmp_path, crawl)
    with pytest.raises(UsageError, match=r"what is extracted differ.*econ"):
        run(
            [crawl],
            tmp_path / "out.jsonl",
            Documents(method="econ"),
            BulkOptions(inputs=SMALL_PARTITIONS),
        )
    with pytest.raises(UsageError, match="the inputs differ"):
        run(
            [crawl, articles_warc(tmp_path / "more.warc.gz", 1)],
            tmp_path / "out.jsonl",
            QUICK,
            BulkOptions(inputs=SMALL_PARTITIONS),
        )
    done(tmp_path, crawl, restart=True)


def stop_at_once(tmp_path: Path, crawl: Path) -> None:
    """A run that is stopped as soon as it has begun."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(
            [crawl],
            tmp_path / "out.jsonl",
            QUICK,
            BulkOptions(inputs=SMALL_PARTITIONS, workers=1),
            stop,
        )
    assert not (tmp_path / "out.jsonl").exists()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, crawl: Path) -> None:
    undisturbed = done(tmp_path, crawl, out="whole.jsonl")
    stop_at_once(tmp_path, crawl)
    assert untimed(done(tmp_path, crawl)) == untimed(undisturbed)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out.jsonl",
        "whole.jsonl",
    ]


def test_a_run_of_the_first_version_is_resumed(tmp_path: Path, crawl: Path) -> None:
    """The words of its manifest are those of its classes and settings."""
    undisturbed = done(tmp_path, crawl, out="whole.jsonl")
    stop_at_once(tmp_path, crawl)
    path = tmp_path / ".out.jsonl.scythe-run" / "plan.json"
    stored = json.loads(path.read_text("utf-8"))
    state = crawl.stat()
    limits = "Limits(max_bytes=16000000, max_nodes=300000, max_depth=500)"
    reading = (
        "Reading(options=ReadOptions(max_bytes=16000000, timeout=30.0, idle_timeout=10.0, "
        "max_redirects=10, user_agent=None, headers={}, public_only=False), "
        "url_column=None, html_column=None, slice_bytes=700)"
    )
    assert stored == {
        "scythe": stored["scythe"],
        "inputs": [["warc", str(crawl), state.st_size, state.st_mtime_ns]],
        "work": f"documents coreex text {limits}",
        "reading": reading,
        "budget": "Budget(seconds=30.0, memory=2000000000)",
        "timed": "True",
        "by_site": "False",
        "duplicates": "None",
        "output": "jsonl None",
    }
    assert untimed(done(tmp_path, crawl)) == untimed(undisturbed)


def test_two_runs_do_not_write_to_one_output(tmp_path: Path, crawl: Path) -> None:
    stop_at_once(tmp_path, crawl)
    with create_file(str(tmp_path / ".out.jsonl.scythe-run" / "lock")) as file:
        lock(file)
        with pytest.raises(UsageError, match="Another run"):
            done(tmp_path, crawl)


def test_an_output_that_is_there_is_not_written_over(
    tmp_path: Path, crawl: Path
) -> None:
    done(tmp_path, crawl)
    with pytest.raises(UsageError, match="is there already"):
        done(tmp_path, crawl)


def test_jsonl_folders_and_lists_as_inputs(tmp_path: Path) -> None:
    lines = [
        json.dumps({"url": f"https://farm.example/{n}", "html": article(n)})
        for n in range(10)
    ]
    table = tmp_path / "pages.jsonl"
    table.write_text(
        "\n".join(
            [
                *lines[:5],
                "{broken",
                '{"url": "https://farm.example/none"}',
                "",
                *lines[5:],
            ]
        ),
        "utf-8",
    )
    packed = tmp_path / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(table.read_bytes())[:-20])
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.html").write_text(article(number), "utf-8")
    names = tmp_path / "names.txt"
    names.write_text(
        f"# mine\n{folder / '0.html'}\n{folder / 'missing.html'}\n", "utf-8"
    )
    rows = done(tmp_path, table, packed, names, folder)
    by_source = {
        source: [row["status"] for row in rows if row["source"] == str(source)]
        for source in (table, packed, names)
    }
    assert by_source[table] == ["ok"] * 5 + ["broken"] * 2 + ["ok"] * 5
    assert by_source[packed][-1] == "broken"
    assert by_source[packed][:4] == ["ok"] * 4
    assert by_source[names] == ["ok", "unread"]
    assert [row["source"] for row in rows[-3:]] == [
        str(folder / f"{number}.html") for number in range(3)
    ]


def test_columns_of_a_table_are_guessed_or_named(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"Uri": f"https://farm.example/{n}", "raw": article(n).encode(), "n": n}
        for n in range(20)
    ]
    pq.write_table(
        pa.Table.from_pylist(rows), tmp_path / "pages.parquet", row_group_size=6
    )
    with pytest.raises(UsageError, match="Uri, raw, n"):
        done(tmp_path, tmp_path / "pages.parquet")
    found = done(
        tmp_path,
        tmp_path / "pages.parquet",
        inputs=InputOptions(html_column="raw"),
        restart=True,
    )
    assert [(row["url"], row["offset"], row["status"]) for row in found] == [
        (f"https://farm.example/{n}", n, "ok") for n in range(20)
    ]


def test_patterns_stand_for_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        articles_warc(tmp_path / f"{name}.warc.gz", 2)
    assert len(done(tmp_path, tmp_path / "*.warc.gz")) == 4
    with pytest.raises(UsageError, match="Nothing fits"):
        done(tmp_path, tmp_path / "*.parquet", out="other.jsonl")


def test_addresses_are_fetched_as_robots_txt_allows(
    tmp_path: Path, web: Loopback
) -> None:
    web.add("/robots.txt", b"User-agent: *\nDisallow: /private\n", "text/plain")
    web.add("/private", ARTICLE.encode())
    listing = tmp_path / "pages.txt"
    listing.write_text(f"{web.url('/mowing')}\n{web.url('/private')}\n")
    first, second = done(tmp_path, listing)
    assert (first["status"], second["status"]) == ("ok", "unread")
    assert "robots.txt" in str(second["reason"])
    assert "/private" not in [path for path, _ in web.asked]

    inputs = InputOptions(ReadOptions(robots=False))
    rows = done(tmp_path, listing, inputs=inputs, restart=True)
    assert [row["status"] for row in rows] == ["ok", "ok"]


def test_an_input_without_pages_gives_an_empty_file(tmp_path: Path) -> None:
    assert done(tmp_path, write_warc(tmp_path / "crawl.warc", [])) == []


def test_any_page_has_a_row() -> None:
    assert extract_page({"html": b""})["status"] == "empty"
    assert extract_page({"html": b"%PDF-1.4"})["status"] == "not-html"
    assert extract_page({"html": '{"a": 1}'})["status"] == "not-html"
    feed = extract_page({"html": b"<rss><channel/></rss>"})
    assert (feed["status"], feed["text"]) == ("feed", None)
    assert "scythe collect" in feed["reason"]
    assert len(page_rows(CrawlPage("<p>Hay"))) == 1


def test_addresses_of_files_as_input_and_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        articles_warc(tmp_path / f"{name}.warc.gz", 2)
    options = BulkOptions(workers=1, format="parquet")
    summary = run(
        [f"{tmp_path.as_uri()}/*.warc.gz"], f"{tmp_path.as_uri()}/out/", QUICK, options
    )
    assert summary.files == (f"{tmp_path.as_uri()}/out/part-00000.parquet",)
    rows = pq.read_table(tmp_path / "out").to_pylist()
    assert [row["source"] for row in rows] == [
        f"{tmp_path.as_uri()}/{name}.warc.gz" for name in "aabb"
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.warc.gz",
        "b.warc.gz",
        "out",
    ]
