"""The quality gate: no page of `pages` may come out worse than it does today."""

from collections import Counter

import pytest
from benchmarks.content import PAGE_TYPES
from benchmarks.pages import PageFolder, read_folders
from benchmarks.scoring import word_score

from scythe.tree import parse

FOLDERS = read_folders()
pages = pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.name) for page in FOLDERS]
)


def holds(text: str, snippet: str) -> bool:
    """A snippet may run over a line; words that have grown together are not the same."""
    return " ".join(snippet.split()) in " ".join(text.split())


@pages
def test_text_is_as_close_to_the_expected_as_it_was(page: PageFolder) -> None:
    text = page.text
    score = word_score(text, page.expected)
    found, expected = Counter(text.split()), Counter(page.expected.split())
    assert score.f1 >= page.floor, (
        f"word F1 {score.f1:.3f} is below {page.floor} (precision {score.precision:.3f}, recall {score.recall:.3f}).\n"
        f"Missing: {' '.join((expected - found).elements())}\nToo much: {' '.join((found - expected).elements())}"
    )


@pages
def test_text_has_what_it_must_have_and_nothing_it_must_not(page: PageFolder) -> None:
    text = page.text
    assert [snippet for snippet in page.included if not holds(text, snippet)] == []
    assert [snippet for snippet in page.excluded if holds(text, snippet)] == []


@pages
def test_folder_agrees_with_itself(page: PageFolder) -> None:
    everything = " ".join(parse(page.html, charset=page.charset).text.tolist())
    assert [
        snippet for snippet in page.included if not holds(page.expected, snippet)
    ] == []
    assert [
        snippet
        for snippet in page.excluded
        if not holds(everything, snippet) or holds(page.expected, snippet)
    ] == []


def test_every_page_type_has_a_page() -> None:
    assert {page.page_type for page in FOLDERS} == set(PAGE_TYPES)
