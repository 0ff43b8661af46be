"""Programs that call trafilatura, with Scythe behind the same calls."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from loopback import Loopback
from scythe.compat import trafilatura
from scythe.errors import UsageError

PAGE = (Path(__file__).parent.parent.parent / "examples" / "harvest.html").read_text(
    encoding="utf-8"
)
URL = "https://courier.example/barley"
TITLE = "Why the old barley fields are cut by hand again"


def test_the_documented_calls_give_the_documented_kinds_of_answers() -> None:
    text = trafilatura.extract(PAGE)
    assert text is not None
    assert "At five in the morning" in text
    assert trafilatura.extract(PAGE, fast=True, deduplicate=True) == text

    markdown = trafilatura.extract(PAGE, output_format="markdown")
    assert markdown is not None
    assert markdown.startswith(f"# {TITLE}")
    assert "](https://" not in markdown
    linked = trafilatura.extract(PAGE, output_format="markdown", include_links=True)
    assert linked is not None
    assert "](https://" in linked

    whole = json.loads(
        trafilatura.extract(PAGE, url=URL, output_format="json", with_metadata=True)
        or ""
    )
    assert whole["title"] == TITLE
    assert whole["source"] == URL
    assert whole["hostname"] == "courier.example"
    assert set(json.loads(trafilatura.extract(PAGE, output_format="json") or "")) == {
        "text"
    }
    row = trafilatura.extract(PAGE, url=URL, output_format="csv", record_id="7")
    columns = next(csv.reader([row or ""], delimiter="\t"))
    assert columns[:3] == [URL, "7", "courier.example"]
    assert "<TEI" in (trafilatura.extract(PAGE, output_format="xmltei") or "")
    assert "<doc" in (trafilatura.extract(PAGE, output_format="xml") or "")


def test_tables_are_left_out_on_request() -> None:
    with_tables = trafilatura.extract(PAGE) or ""
    without = trafilatura.extract(PAGE, include_tables=False) or ""
    assert "Hours per hectare" in with_tables
    assert "Hours per hectare" not in without


def test_what_is_not_wanted_is_none() -> None:
    assert trafilatura.extract("") is None
    assert trafilatura.extract(PAGE, target_language="fr") is None
    assert trafilatura.extract(PAGE, url=URL, url_blacklist={URL}) is None
    assert trafilatura.extract(PAGE, max_tree_size=10) is None
    assert trafilatura.extract(PAGE, only_with_metadata=True) is None
    assert trafilatura.extract(PAGE, url=URL, only_with_metadata=True)


def test_bare_documents_have_the_metadata() -> None:
    bare = trafilatura.bare_extraction(PAGE, url=URL)
    assert isinstance(bare, trafilatura.BareDocument)
    assert (bare.title, bare.date) == (TITLE, "2024-08-17")
    as_dict = trafilatura.bare_extraction(PAGE, url=URL, as_dict=True)
    assert as_dict == bare.as_dict()
    author = bare.author or ""
    blocked = trafilatura.bare_extraction(PAGE, author_blacklist={author.upper()})
    assert isinstance(blocked, trafilatura.BareDocument)
    assert blocked.author is None
    assert trafilatura.extract_metadata(PAGE, URL).title == TITLE
    assert "Three villages" in trafilatura.html2txt(PAGE)


def test_what_would_silently_be_wrong_is_refused() -> None:
    with pytest.raises(UsageError, match="prune_xpath"):
        trafilatura.extract(PAGE, prune_xpath="//aside")
    with pytest.raises(TypeError, match="include_fomatting"):
        trafilatura.extract(PAGE, include_fomatting=True)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="pdf"):
        trafilatura.extract(PAGE, output_format="pdf")  # type: ignore[arg-type]


def test_pages_are_fetched_or_none(web: Loopback) -> None:
    web.add("/page", PAGE.encode())
    html = trafilatura.fetch_url(web.url("/page"))
    assert html is not None
    assert trafilatura.extract(html) == trafilatura.extract(PAGE)
    assert trafilatura.fetch_url(web.url("/nowhere")) is None
