"""What stands beside labels: slots of the site's own names, suggested as fields."""

from __future__ import annotations

from scythe.collect.fields.class_names import class_name
from scythe.collect.fields.slots import (
    CollectionSlot,
    accepted_suggestions,
    add_suggestions,
    label_field_name,
)
from scythe.collect.pages.labelled import labelled_lines
from scythe.collect.pages.page_reading import PageReading
from scythe.collect.pages.sections import section_lines
from scythe.collect.records.schema import RecordSchema, known_kind
from scythe.store.collections.templates import ExtractedRow
from scythe.templates.slot import SlotId, SlotSource, Suggestion
from scythe.templates.suggestions.slot_evidence import PAGE_HEADING
from scythe.tree.parse import parse

PAGE = """<body><h1>Phone</h1>
<table><tr><th>SD card</th><td>up to 32 GB</td></tr>
<tr><td>Sensors</td><td><ul><li>Compass</li><li>Gyroscope</li></ul></td></tr>
<tr><td>a</td><td>row</td><td>of three</td></tr></table>
<dl><dt>Colour</dt><dd>red</dd><dd>blue</dd></dl>
<p>⏲ Prep time: 10 min</p><p><b>Vendor:</b><br>Acme</p>
<div>Tags: <ul><li><a>rye</a></li><li><a>oats</a></li></ul></div>
<ul><li>Weight:</li><li>2 kg</li><li>light</li></ul>
<p>This is a sentence that goes on and on before it has one: colon</p>
<p>See https://example.com/x</p></body>"""


def test_labels_of_rows_lists_and_lines_name_their_values() -> None:
    assert labelled_lines(parse(PAGE)) == {
        "sd card": ["up to 32 GB"],
        "sensors": ["Compass", "Gyroscope"],
        "colour": ["red", "blue"],
        "prep time": ["10 min"],
        "vendor": ["Acme"],
        "tags": ["rye", "oats"],
        "weight": ["2 kg"],
    }


def test_names_of_icons_are_no_values() -> None:
    icon = "<i class=material-icons>help_outline</i>"
    body = f"<table><tr><th>Models</th><td><ul><li>A1<li>{icon} Others?</table>"
    page = PageReading(body.encode(), "https://phones.example/a1", None, None)
    assert page.slots({})["label:models"] == ["A1", "Others?"]


def test_headings_inside_a_section_are_no_lines_of_it() -> None:
    page = parse(
        "<h2>Ingredients</h2><h3>For the sauce</h3><ul><li>1 egg</li></ul>"
        "<h3>For the rest</h3><ul><li>rice</li></ul><h2>Steps</h2><h3>Only this</h3>"
    )
    sections = section_lines(page)
    assert sections["ingredients"] == ["1 egg", "rice"]
    assert sections["steps"] == ["Only this"]


def test_a_label_is_the_name_of_a_field() -> None:
    assert label_field_name("sd card") == "sd_card"
    assert label_field_name("größe") == "grosse"
    assert label_field_name("尺寸") == ""
    assert SlotId.parse("label:sd card").source is SlotSource.LABEL


def slot(name: str, examples: list[str], support: int = 10) -> CollectionSlot:
    return CollectionSlot(name, support, examples)


def accepted(slots: list[CollectionSlot], **suggested: str) -> dict[str, str]:
    suggestions = {
        f"0:{name}": Suggestion(name, "title", "text", 0.65, evidence)
        for name, evidence in suggested.items()
    }
    add_suggestions(slots, {}, RecordSchema.builtin("thing"), suggestions)
    return {name: field for name, (field, _) in accepted_suggestions(slots, {}).items()}


def test_labels_of_many_pages_are_suggested_for_any_kind_of_record() -> None:
    slots = [
        slot("label:sd card", ["32 GB", "64 GB"]),
        slot("label:warning", ["Hot!"]),
        slot("label:rare", ["a", "b"], support=1),
        slot("declared:image", ["/default.png"]),
        slot("declared:description", ["One", "Two"]),
    ]
    assert accepted(slots) == {
        "label:sd card": "sd_card",
        "declared:description": "description",
    }


def test_the_heading_stands_above_a_title_that_is_a_slug() -> None:
    heading = slot("0:s1", ["Fairphone 2", "Nokia 6"])
    slug = slot("declared:title", ["Info about FP2", "Info about DRG"])
    found = accepted([heading, slug], s1="the page's heading")
    assert found == {"0:s1": "title", "declared:title": "title"}
    same = slot("declared:title", ["Fairphone 2 - Wiki", "Nokia 6 - Wiki"])
    heading = slot("0:s1", ["Fairphone 2", "Nokia 6"])
    assert accepted([heading, same], s1="the page's heading") == {
        "declared:title": "title"
    }


def test_a_page_that_is_read_again_takes_what_no_template_has_a_part_in() -> None:
    body = "<h2>Steps</h2><p>Mow the meadow.</p><p>Weight: 3 kg</p>"
    first = PageReading(body.encode(), "https://phones.example/a1", None, None)
    row = ExtractedRow(1, 0, 1, "", first.slots({"s1": ["old"]}), first.declared())
    again = PageReading(b"", "https://phones.example/a1", None, None)
    again.take_from(row)
    assert again.slots({"s2": ["new"]}) == first.slots({"s2": ["new"]})
    assert again.declared() == first.declared()


def test_a_class_names_what_nothing_else_does() -> None:
    place = CollectionSlot("0:s1", 8, ["Hall", "Mill"], class_name="venue")
    same = CollectionSlot("0:s2", 8, ["Hall", "Mill"], class_name="place")
    rare = CollectionSlot("0:s3", 2, ["a", "b"], class_name="extra")
    link = CollectionSlot("0:s4", 8, ["/a", "/b"], class_name="more", kind="link")
    slots = [place, same, rare, link]
    add_suggestions(slots, {}, RecordSchema("Thing"), {})
    assert [slot.suggestion for slot in slots] == ["venue", None, None, None]


def test_the_nearest_class_that_means_something_is_the_name() -> None:
    assert class_name("body > div.event > p.where > strong > #text") == "where"
    assert class_name("body > div.event > p.x1 > #text") == ""
    assert class_name("body > div.event > p > b > #text") == ""


def test_labels_in_a_list_with_a_heading_name_no_part_of_it() -> None:
    slots = [
        CollectionSlot("section:ingredients", 8, ["salt", "oil"]),
        CollectionSlot("label:more ingredients", 2, ["dill", "chives"]),
    ]
    add_suggestions(slots, {}, RecordSchema.builtin("Recipe"), {})
    assert list(accepted_suggestions(slots, {})) == ["section:ingredients"]


def test_a_heading_that_says_what_is_declared_is_a_title_too() -> None:
    slots = [slot("declared:title", ["Pie", "Tart"]), slot("0:h", ["Pie", "Tart"])]
    assert accepted(slots, h=PAGE_HEADING) == {
        "declared:title": "title",
        "0:h": "title",
    }


def test_prices_and_stock_of_pages_that_declare_nothing_are_read() -> None:
    body = """<body><h1>Oak Chair</h1><img src="/a.jpg"><div><b>132.50 EUR</b>
    <i>In stock</i></div><button>Add to cart</button><p>A chair.</p></body>"""
    url = "https://shop.example/p/1"
    page = PageReading(body.encode(), url, None, known_kind("product"))
    declared = page.declared()
    assert declared["price"] == ["132.50 EUR"]
    assert declared["availability"] == ["InStock"]


def test_a_feed_is_no_record() -> None:
    for start in ('<?xml version="1.0"?>\n<rss>', "<feed xmlns='x'>", "<urlset >"):
        body = f"{start}<item><h2>Ingredients</h2><li>salt</li></item>"
        page = PageReading(body.encode(), "http://a.org/f.xml", None, None)
        assert page.is_record() is False
