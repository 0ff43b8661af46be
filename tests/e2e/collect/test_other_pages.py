"""Pages that stand among links to records and are none: guides for each record, how-tos,
pages to choose from; and suggestions that follow a site over its redesign.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from growing_site import GrowingSite, Served
from scythe.collect.collection import Collection

HTML = {"Content-Type": "text/html; charset=utf-8"}
PHONES = [f"phone{number}" for number in range(1, 13)]
TOPICS = "testing reporting writing building translating signing".split()
MENU = '<nav><ul><li><a href="/">Home</a></li><li><a href="/devices">Devices</a></li><li><a href="/about">About</a></li></ul></nav>'


@pytest.fixture
def served() -> Iterator[Served]:
    with Served(GrowingSite()) as server:
        yield server


@pytest.fixture
def collection(served: Served, tmp_path: Path) -> Iterator[Collection]:
    show(served.site)
    with Collection.add(
        f"{served.url}/",
        "phones",
        "product",
        db=f"sqlite:///{tmp_path / 'scythe.db'}",
        render=False,
    ) as added:
        yield added


def page(title: str, content: str, box: str = "") -> bytes:
    return f"<!DOCTYPE html><html><head><title>{title} | Wiki</title></head><body>{MENU}<div class=content><h1>{title}</h1>{content}</div><div class=box>{box}</div></body></html>".encode()


def facts(number: int, *, anew: bool) -> str:
    rows = {
        "Released": f"May 20{number + 10}",
        "RAM": f"{number} GB",
        "Screen": f"{number}20x{number}80 ({number}94 PPI)",
        "Battery": f"{number}500 mAh",
        "Chip": f"Model {number * 7}",
    }
    if anew:
        rows["Weight"] = f"{number * 11} g"
    cells = "".join(f"<tr><td>{k}</td><td>{v}</td></tr>" for k, v in rows.items())
    return f"<table>{cells}</table>"


def links(urls: dict[str, str]) -> str:
    entries = "".join(f'<li><p><a href="{u}">{t}</a></p></li>' for u, t in urls.items())
    return f"<ul>{entries}</ul>"


def show(site: GrowingSite, *, anew: bool = False) -> None:
    """Let the site be a wiki of phones, with guides for each that are built like it."""
    pages: dict[str, bytes] = {}
    devices: dict[str, str] = {}
    everything: dict[str, str] = {}
    for number, phone in enumerate(PHONES, 1):
        devices[f"/{phone}_info"] = f"The {phone.title()}"
        everything[f"/{phone}_info"] = f"Info about {phone}"
        guides = "".join(
            f'<p><a href="/{phone}_{what}">How to {what} it</a></p>'
            for what in ("install", "build")
        )
        box = facts(number, anew=anew)
        if anew:
            box = f"<section class=facts><div>{box}</div></section>"
        pages[f"/{phone}_info"] = page(f"Info about {phone}", guides, box)
        for what in ("install", "build"):
            steps = "<p><b>Note</b>: take care, nobody is to blame.</p>" + "".join(
                f"<p>Step {step} of how to {what} the system on a {phone}, slowly.</p>"
                for step in range(4)
            )
            pages[f"/{phone}_{what}"] = page(f"How to {what} {phone}", steps)
            everything[f"/{phone}_{what}"] = f"How to {what} {phone}"
    howtos = {f"/{topic}-howto": f"All about {topic}" for topic in TOPICS}
    for url, title in howtos.items():
        text = f"<p>This is {title.lower()}, told at length and in many words.</p>" * 3
        pages[url] = page(title, text)
        everything[url] = title
    pages["/about"] = page(
        "About", "<p>People write this wiki together, slowly.</p>" * 3
    )
    start = {"/devices": "Devices", "/howtos": "How-tos", "/pages": "All pages"}
    pages["/"] = page("A wiki", links(start))
    pages["/devices"] = page("Devices", links(devices))
    pages["/howtos"] = page("How-tos", links(howtos))
    pages["/pages"] = page("All pages", links(everything))
    for url, body in pages.items():
        site.extra[url] = (200, HTML, body)


def names(collection: Collection) -> set[str]:
    records = collection.records("ok", "draft", "review")
    return {record.url.rpartition("/")[2] for record in records}


def test_guides_are_other_pages_and_say_why(collection: Collection) -> None:
    collection.run()
    assert names(collection) == {f"{phone}_info" for phone in PHONES}
    reasons = {
        link.reason
        for link in collection.links()
        if link.url.endswith(("_install", "-howto"))
    }
    assert any("without what records have" in reason for reason in reasons)


def test_an_operator_makes_another_page_a_record(
    collection: Collection, served: Served
) -> None:
    collection.run()
    collection.add_link_rule("record", f"{served.url}/testing-howto")
    collection.run()
    assert "testing-howto" in names(collection)


def test_accepted_suggestions_follow_a_redesign(
    collection: Collection, served: Served
) -> None:
    collection.run()
    collection.accept_suggestions()
    before = {record.url: record.fields or {} for record in collection.records("ok")}
    first = before[f"{served.url}/phone3_info"]
    assert first["ram"] == "3 GB"
    assert first["released"] == "2013-05"
    assert "weight" not in first
    assert "320x380" in first.values()

    show(served.site, anew=True)
    collection.run(refetch_all=True)
    after = {record.url: record.fields or {} for record in collection.records("ok")}
    assert after.keys() == before.keys()
    assert after[f"{served.url}/phone3_info"]["weight"] == "33 g"
    assert any("suggestions" in notice.kind for notice in collection.notices())


def test_undone_suggestions_are_not_followed(
    collection: Collection, served: Served
) -> None:
    collection.run()
    collection.accept_suggestions()
    collection.undo_annotation()
    collection.update_records()
    show(served.site, anew=True)
    collection.run(refetch_all=True)
    assert not collection.annotation.names
