"""Running texts of pages, in parts."""

from __future__ import annotations

from scythe.collect.fields.slots import CollectionSlot, add_suggestions
from scythe.collect.pages.page_reading import PageReading
from scythe.collect.pages.running_text import RunningTextPart, running_text_lines
from scythe.collect.records.schema import RecordSchema, collection_schema
from scythe.tree.parse import parse

BODY = """
<nav><ul><li>Somewhere else on this site, in many words that are not the text</li></ul></nav>
<h1>A job</h1>
<div class=facts>Contract type: <span>permanent</span></div>
<div class=body>
  <h2>Who we are</h2>
  <p>A small team that reads and writes for <a href="/x">many</a> others.</p>
  <ul><li>Writing well<ul><li>in two languages</li></ul></li><li><p>Reading fast</p></li></ul>
  <p>Write to us soon.</p>
</div>
<footer><p>A long remark about the people who made this site and its software.</p></footer>
"""


def test_paragraphs_items_and_headings_of_the_text_alone() -> None:
    assert running_text_lines(parse(BODY)) == {
        RunningTextPart.PARAGRAPHS: [
            "A small team that reads and writes for many others.",
            "Write to us soon.",
        ],
        RunningTextPart.LIST_ITEMS: [
            "Writing well",
            "in two languages",
            "Reading fast",
        ],
        RunningTextPart.HEADINGS: ["Who we are"],
    }


def test_pages_without_running_text_have_no_parts() -> None:
    menu = "<ul>" + "<li><a href=/x>One of many pages</a></li>" * 20 + "</ul>"
    assert running_text_lines(parse(f"{menu}<p>A remark.</p>")) == {}
    assert running_text_lines(parse("")) == {}


def test_parts_are_slots_of_a_page() -> None:
    page = PageReading(BODY.encode(), "https://jobs.example/1", None, None)
    assert page.slots({})["text:headings"] == ["Who we are"]


def suggested(schema: RecordSchema, slot: CollectionSlot) -> str | None:
    add_suggestions([slot], {}, schema, {})
    return slot.suggestion


def test_parts_are_suggested_where_the_kind_has_no_parts_of_its_own() -> None:
    def items() -> CollectionSlot:
        return CollectionSlot("text:list_items", 3, ["one", "two"], max_values=4)

    assert suggested(collection_schema("job", None), items()) == "list_items"
    assert suggested(collection_schema("recipe", None), items()) is None


def test_who_posted_a_job_is_its_company() -> None:
    jobs = collection_schema("job", None)
    name = CollectionSlot("0:s1", 3, ["Rain Ltd", "Sun AG"], "Posted by")
    link = CollectionSlot("0:s2", 3, ["/a", "/b"], "Posted by", kind="link")
    word = CollectionSlot("0:s3", 3, ["on"], "Posted by")
    assert suggested(jobs, name) == "company"
    assert suggested(jobs, link) is None
    assert suggested(jobs, word) is None
    assert suggested(collection_schema("article", None), name) == "author"
