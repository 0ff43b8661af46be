"""Rows by a wrapper or a template that was made before."""

from __future__ import annotations

from pathlib import Path

import scythe
from crawl import page_record, rows_of, write_warc
from scythe.bulk import BulkOptions, TemplateRecords, WrapperRecords, run
from scythe.templates.template.template import Template


def tools(page: int) -> str:
    rows = "".join(
        f"<li class=tool><a href=/t{page}-{n}>Tool {page} {n}</a> <b>{n + page}.50 EUR</b><p>It cuts grass well {n}.</p></li>"
        for n in range(6 + page)
    )
    return f"<html><body><h1>Shed</h1><ul class=tools>{rows}</ul><p>End of list</p></body></html>"


def tool(number: int) -> str:
    table = f"<tr><th>Price</th><td>{number * 3 + 10} EUR</td></tr><tr><th>Weight</th><td>{number + 2} kg</td></tr>"
    return f"<html><body><h1>Tool no {number}</h1><table>{table}</table></body></html>"


def test_rows_by_a_wrapper(tmp_path: Path) -> None:
    wrapper = scythe.learn([tools(1), tools(2)])
    pages = [
        page_record("https://shed.example/3", tools(3)),
        page_record("https://shed.example/about", "<p>About us."),
    ]
    crawl = write_warc(tmp_path / "crawl.warc", pages)
    run(
        [crawl], tmp_path / "out.jsonl", WrapperRecords(wrapper), BulkOptions(workers=1)
    )
    rows = rows_of(tmp_path / "out.jsonl")
    expected = wrapper.extract(tools(3), "https://shed.example/3")
    assert len(expected) == 9
    assert [(row["text"], row["link"], row["fields"]) for row in rows[:-1]] == [
        (r.text, r.link, {name: [value] for name, value in r.fields.items()})
        for r in expected
    ]
    assert rows[-1]["status"] != "ok"
    assert rows[-1]["record"] is None


def test_rows_by_a_template(tmp_path: Path) -> None:
    Template.induce([tool(n) for n in range(5)]).save(tmp_path / "tool.json")
    pages = [page_record(f"https://shed.example/{n}", tool(n)) for n in (7, 8)]
    crawl = write_warc(tmp_path / "crawl.warc", pages)
    run(
        [crawl],
        tmp_path / "out.jsonl",
        TemplateRecords.load(str(tmp_path / "tool.json")),
        BulkOptions(workers=1),
    )
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["status"] for row in rows] == ["ok", "ok"]
    assert any("31" in str(value) for value in rows[0]["fields"].values())
    assert any("34" in str(value) for value in rows[1]["fields"].values())
