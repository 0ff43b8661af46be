"""Sample queries: words of the site first, then frequent ones, then what came back."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given

from markup import pages
from scythe.engines.discovery.queries import (
    SampleQueries,
    impossible_query,
    query_words,
    site_words,
)
from scythe.tree import parse

HOME = parse(
    "<html lang=en><title>Scythes and rakes</title><body><a href=/a>Whetstone</a><a href=/b>Whetstone care</a>"
    "<p>The meadow is mown with a scythe at dawn, and that is all there is to say about it.</p><form><input name=q></form>"
)


def test_words_of_the_site_come_first() -> None:
    words = site_words(HOME)
    assert words[0] == "whetstone"
    assert {"scythes", "rakes", "care", "meadow"} <= set(words)
    assert not {"the", "that", "about", "there"} & set(words)


def test_queries_are_never_given_twice() -> None:
    queries = list(islice(SampleQueries(HOME), 200))
    assert len(queries) == len(set(queries))
    assert "whetstone" in queries[:2]


def test_a_page_without_words_has_frequent_ones_in_its_language() -> None:
    assert list(
        islice(SampleQueries(parse("<html lang=de-AT><form><input name=q></form>")), 3)
    ) == ["zeit", "jahr", "haus"]
    assert next(SampleQueries(parse(""))) == "system"


def test_the_words_of_records_are_asked_next() -> None:
    queries = SampleQueries(HOME)
    next(queries)
    queries.add_results(
        ["Curved blade, polished", "Polished handle", "Blade of iron", "Wooden handle"],
        enough=True,
    )
    assert {next(queries) for _ in range(4)} & {
        "polished",
        "handle",
        "blade",
        "curved blade",
    }


def test_too_little_makes_queries_wider() -> None:
    queries = SampleQueries(HOME)
    queries.add_results(
        ["Narrow meadow gate", "Meadow flower", "Meadow of the mill"], enough=False
    )
    assert next(queries) == "meadow"


def test_queries_become_narrower_at_times() -> None:
    queries = SampleQueries(HOME)
    asked = []
    for _ in range(9):
        asked.append(next(queries))
        queries.add_results(
            [
                f"polished ladder {asked[-1]} stone",
                "polished barrow of iron",
                "wooden ladder",
                "wooden barrow",
            ],
            enough=True,
        )
    assert any(" " in query for query in asked)


def test_words_in_scripts_without_spaces() -> None:
    assert list(query_words("镰刀和农具")) == ["镰刀"]
    assert list(query_words("Füße der Mühle")) == ["füße", "mühle"]


@pytest.mark.parametrize("site", ["http://a.example", "http://b.example:8080", ""])
def test_the_impossible_query_is_no_word_and_always_the_same(site: str) -> None:
    query = impossible_query(site)
    assert query == impossible_query(site)
    assert len(query) == 13
    assert not set(query) & set("aeiouy")


@given(pages)
def test_any_page_gives_queries(html: str) -> None:
    assert next(SampleQueries(parse(html)))


def test_what_two_pages_of_a_site_share_is_asked_last() -> None:
    menu = "<title>Farm wiki</title><a href=/w>Timeline</a><a href=/b>Branches</a>"
    form = parse(f"<html lang=en>{menu}<form><input name=q></form>")
    index = parse(f"<html lang=en>{menu}<p>The anvil</p><p>The barley</p>")
    queries = SampleQueries(form, linked_from=index)
    assert list(islice(queries, 2)) == ["anvil", "barley"]
