"""Records are scored as the ViNTs paper counts them, and sets are read and cut as the
benchmark says.
"""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from benchmarks.record_finders import like_siblings, without_learning
from benchmarks.record_pages import Pages
from benchmarks.record_scoring import correct_records, page_score, shares
from benchmarks.record_sets import record_sets, record_texts, site_of
from benchmarks.records import grouped, learned, single_pages
from hypothesis import given
from hypothesis import strategies as st

from scythe.sections.span import Span
from scythe.tree import parse

TEXTS = st.lists(
    st.lists(st.sampled_from("a b c d 中 文".split()), max_size=3).map(" ".join),
    max_size=5,
)


def by_trying_everything(extracted: list[str], truth: list[str]) -> int:
    def same(ours: str, theirs: str) -> bool:
        a, b = (
            Counter(text.replace("中", " 中 ").replace("文", " 文 ").split())
            for text in (ours, theirs)
        )
        common, size = (
            sum(min(a[word], b[word]) for word in a),
            sum(a.values()) + sum(b.values()),
        )
        return size == 0 or 2 * common / size >= 0.9

    @cache
    def best(i: int, j: int) -> int:
        if i == len(extracted) or j == len(truth):
            return 0
        matched = 1 + best(i + 1, j + 1) if same(extracted[i], truth[j]) else 0
        return max(best(i + 1, j), best(i, j + 1), matched)

    return best(0, 0)


@given(TEXTS, TEXTS)
def test_correct_records_are_the_longest_matching_in_order(
    extracted: list[str], truth: list[str]
) -> None:
    assert correct_records(extracted, truth) == by_trying_everything(extracted, truth)


def test_a_record_cut_glued_or_shifted_is_wrong_and_small_differences_are_not() -> None:
    first, second = "one two three four five six seven eight nine ten", "red green blue"
    assert correct_records([first, second], [first, second]) == 2
    assert correct_records([f"{first} {second}"], [first, second]) == 0
    assert (
        correct_records(
            ["one two three four five", "six seven eight nine ten"], [first]
        )
        == 0
    )
    assert correct_records([first + " eleven"], [first]) == 1
    assert correct_records([second, first], [first, second]) == 1
    assert correct_records(["RED, green; blue!"], [second]) == 1


def test_shares_are_over_records_and_over_sets() -> None:
    pages = [
        page_score("large", ["a", "b", "c"], ["a", "b", "x", "y"]),
        page_score("small", ["a"], ["a"]),
    ]
    found = shares(pages)
    assert (found["sets"], found["pages"], found["records"]) == (2, 2, 5)
    assert (found["micro precision"], found["micro recall"]) == (3 / 4, 3 / 5)
    assert found["macro precision"] == pytest.approx((2 / 3 + 1) / 2)
    assert found["macro recall"] == (1 / 2 + 1) / 2
    assert found["perfect"] == 0.5


def test_nothing_extracted_where_nothing_is_true_is_perfect() -> None:
    assert page_score("empty", [], []).perfect
    assert shares([page_score("empty", [], [])])["macro precision"] == 0.0


def test_the_text_of_a_record_parts_text_nodes_and_leaves_scripts_out() -> None:
    tree = parse(
        "<body><p>One<b>two</b> <script>x()</script><noscript>no</noscript><i hidden>three</i></p><p>four</p>"
    )
    first, second = (node for node in range(len(tree)) if tree.name(node) == "p")
    assert record_texts(tree, [Span(first, second), Span(first, len(tree))]) == [
        "One two three",
        "One two three four",
    ]


@pytest.mark.parametrize(
    ("name", "url", "site"),
    [
        ("set", "https://www.google.de/search?q=a", "google"),
        ("set", "https://scholar.google.com/citations", "google"),
        ("set", "http://bbc.co.uk/", "bbc"),
        ("set", "http://127.0.0.1:8613/search", "set"),
        ("set", None, "set"),
    ],
)
def test_sites_group_pages_of_one_engine(name: str, url: str | None, site: str) -> None:
    assert site_of(name, url) == site


def page(words: list[str]) -> str:
    return (
        "<body><h1>Results</h1><ul>"
        + "".join(f"<li><a href=/{word}>{word} title</a> text</li>" for word in words)
        + "</ul>"
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, forest in (("live-one", False), ("two", True)):
        folder = tmp_path / "records" / name
        folder.mkdir(parents=True)
        pages = []
        for number, words in enumerate(
            [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i", "j"]], 8
        ):
            (folder / f"{number}.html.gz").write_bytes(
                gzip.compress(page(words).encode())
            )
            records = [f"{word} title text" for word in words]
            pages.append(
                {
                    "file": f"{number}.html",
                    "url": "http://a.example/ (made up)",
                    "query": None,
                    "records": records,
                }
            )
        (folder / "none.html.gz").write_bytes(gzip.compress(page([]).encode()))
        (folder / "truth.json").write_text(
            json.dumps({"forest": forest, "noresult": "none.html", "pages": pages}),
            "utf-8",
        )
    return tmp_path


def test_sets_are_read_in_order_with_their_pages_in_halves(data: Path) -> None:
    one, two = record_sets(data)
    assert (one.name, one.live, one.forest, two.live, two.forest) == (
        "live-one",
        True,
        False,
        False,
        True,
    )
    assert one.no_result == page([]).encode()
    samples, unseen = one.halves
    assert [found.file for found in samples] == ["8.html", "10.html"]
    assert [found.file for found in unseen] == ["9.html"]
    assert unseen[0].url == "http://a.example/"


def test_a_finder_is_measured_on_single_pages_and_on_unseen_pages(data: Path) -> None:
    sets, finder = record_sets(data), without_learning(like_siblings)
    with Pages() as pages:
        single = grouped(single_pages(finder, sets, pages))
        unseen = grouped(learned(finder, sets, pages))
    assert {group: found["pages"] for group, found in single.items()} == {
        "all": 6,
        "choices": 6,
        "forest": 3,
        "live": 3,
    }
    assert {group: found["records"] for group, found in unseen.items()} == {
        "all": 6,
        "choices": 6,
        "forest": 3,
        "live": 3,
    }
    assert single["all"]["perfect"] == unseen["all"]["perfect"] == 1.0
