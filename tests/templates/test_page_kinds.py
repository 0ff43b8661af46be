"""The kind of a page, and what jobs, events and articles show."""

from __future__ import annotations

import pytest

from scythe import read_page

STORY = "<p>" + "The hay was cut before noon, and the rain came in the evening. " * 8

JOB = """<h1>Mower</h1><p>Posted by <b>Hay Ltd</b> on <b>Monday</b></p>
    <dl><dt>Location<dd>Upper field<dt>Contract type<dd>Seasonal<dt>Salary<dd>€ 2,400 a month
    <dt>Closing date<dd>2026-06-01</dl><p>You cut hay with us from June to August.</p>"""
EVENT = """<h1>Mowing day</h1><time datetime="2026-07-04T06:00">4 July, 6 am</time>
    <time datetime="2026-07-04T11:00">11 am</time><p>Venue: Upper field</p>
    <p>Organizer: Mowers of the valley</p><p>Admission: € 12.50</p>
    <p>Bring your scythe and something to drink.</p>"""
SHOP = "<h1>Hay fork</h1><p>$24.50</p><button>Add to cart</button><p>Four tines.</p>"


def page(body: str, head: str = "") -> str:
    return f"<html><head><title>Valley</title>{head}</head><body><main>{body}</main></body></html>"


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        (page(SHOP), "Product"),
        (page(JOB), "JobPosting"),
        (page(EVENT), "Event"),
        (page(f"<h1>On mowing</h1>{STORY}"), "Article"),
        (
            page("<h1>Fork</h1>", '<meta property="og:type" content="product">'),
            "Product",
        ),
        ("", "Article"),
    ],
)
def test_the_kind_is_what_the_page_shows(html: str, kind: str) -> None:
    assert read_page(html).kind == kind


def test_a_declared_event_is_one() -> None:
    declared = """<script type="application/ld+json">{"@type": "MusicEvent",
        "name": "Harvest dance", "startDate": "2026-09-01T19:00",
        "location": {"@type": "Place", "name": "Barn", "address": "Mill Lane 1"},
        "performer": {"name": "The Reapers"}}</script>"""
    record = read_page(page("<h1>Harvest dance</h1>", declared))
    assert record.kind == "Event"
    assert record.to_dict() == {
        "title": "Harvest dance",
        "start": "2026-09-01T19:00",
        "venue": "Barn",
        "location": "Mill Lane 1",
        "performer": "The Reapers",
    }


def test_a_list_that_declares_its_items_is_none_of_them() -> None:
    items = [
        f'{{"@type": "Product", "name": "Fork {n}", "offers": {{"price": "{n}"}}}}'
        for n in range(2, 9)
    ]
    cards = "".join(
        f'<li class="card"><a href="/fork-{n}"><h3>Fork {n}</h3></a><p class="price">${n}.00</p></li>'
        for n in range(2, 20)
    )
    head = f'<script type="application/ld+json">[{", ".join(items)}]</script>'
    assert (
        read_page(page(f"<h1>Garden tools</h1><ul>{cards}</ul>", head)).kind
        == "Article"
    )


def test_a_job_is_read_from_its_labels() -> None:
    record = read_page(page(JOB), kind="job").to_dict()
    assert record["title"] == "Mower"
    assert record["company"] == "Hay Ltd"
    assert record["location"] == "Upper field"
    assert record["employment"] == "Seasonal"
    assert record["salary"] == "€ 2,400 a month"
    assert record["valid_through"] == "2026-06-01"


@pytest.mark.parametrize(
    "body",
    [
        "<p>Arbeitgeber: Hof Nord</p><p>Arbeitsort: Kiel</p>",
        "<p>Entreprise : Hof Nord</p><p>Lieu de travail : Kiel</p>",
        "<table><tr><td>Компания<td>Hof Nord<tr><td>Место работы<td>Kiel</table>",
        "<dl><dt>会社名<dd>Hof Nord<dt>勤務地<dd>Kiel</dl>",
        '<p class="job-company">Hof Nord</p><p><i class="icon-location"></i> Kiel</p>',
    ],
)
def test_labels_of_jobs_are_known_in_many_languages(body: str) -> None:
    record = read_page(page(f"<h1>Mower</h1>{body}"), kind="job").to_dict()
    assert (record["company"], record["location"]) == ("Hof Nord", "Kiel")


def test_an_event_is_read_from_its_times_and_labels() -> None:
    record = read_page(page(EVENT), kind="event").to_dict()
    assert record["start"] == "2026-07-04T06:00"
    assert record["end"] == "2026-07-04T11:00"
    assert record["venue"] == "Upper field"
    assert record["organizer"] == "Mowers of the valley"
    assert (record["price"], record["currency"]) == ("12.50", "EUR")


def test_an_article_has_its_text() -> None:
    record = read_page(page(f"<h1>On mowing</h1>{STORY}"), kind="article")
    assert "the rain came in the evening" in record.values["text"][0]
    assert record.sources["text"] == "main content"
