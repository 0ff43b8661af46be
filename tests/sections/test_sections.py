"""The finder of records: candidates, their traits, and the sections that come of it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given

from markup import pages
from scythe.render import Browser
from scythe.sections import find_sections, rank_sections
from scythe.sections.candidates import (
    MAX_CANDIDATES,
    CandidateKind,
    candidate_sections,
)
from scythe.sections.page_statistics import PageStatistics
from scythe.sections.shapes import jaccard, shape_table
from scythe.sections.span import Span, span_texts
from scythe.tree import Tree, parse
from tool_shed import TOOLS, result_page

PAGE = result_page("fork", TOOLS["fork"], advertised=[1])


def is_whole(tree: Tree, span: Span) -> bool:
    """Whether a span is one or several whole subtrees of one parent."""
    node = span.start
    while node < span.stop:
        if tree.parent[node] != tree.parent[span.start]:
            return False
        node = int(tree.end[node])
    return node == span.stop


@given(pages)
def test_any_page_has_sections_of_whole_subtrees_that_do_not_overlap(html: str) -> None:
    tree = parse(html)
    spans = sorted(span for section in find_sections(tree) for span in section.spans)
    assert all(is_whole(tree, span) for span in spans)
    assert all(one.stop <= other.start for one, other in pairwise(spans))


def test_the_likeliest_section_comes_first() -> None:
    ranked = rank_sections(parse(PAGE))
    assert [section.confidence for section in ranked] == sorted(
        (section.confidence for section in ranked), reverse=True
    )
    assert len({section.spans for section in ranked}) == len(ranked)
    assert len(ranked[0].spans) == len(TOOLS["fork"])
    assert ranked[0].is_certain


def test_a_page_has_a_bounded_number_of_candidates() -> None:
    many = "".join(
        f'<div class="a{number % 7} b{number % 11} c{number}"><p>text {number}</p></div>'
        for number in range(900)
    )
    assert (
        len(candidate_sections(PageStatistics(parse(f"<body>{many}</body>"))))
        <= MAX_CANDIDATES
    )


def test_rendered_pages_are_judged_with_their_boxes(browser: Browser) -> None:
    best = find_sections(browser.render(PAGE))[0]
    assert best.spans == find_sections(parse(PAGE))[0].spans


def test_shapes_of_records() -> None:
    shape = np.array([1, 2, 0, 2, 1, 3, 0], dtype=np.int32)
    has = shape_table(shape, np.array([0, 3]), np.array([3, 7]))
    assert has.tolist() == [[True, True, False], [True, True, True]]
    assert jaccard(has[0], has[1]) == 2 / 3
    assert jaccard(np.zeros(3, dtype=bool), np.zeros(3, dtype=bool)) == 1.0


def test_striped_rows_are_a_record_each() -> None:
    rows = "".join(
        f"<tr class={'odd' if number % 2 else 'even'}><td>{number}</td><td><a href=/{tool}>{tool}</a><br><small>A {tool} of ash"
        f" and steel, made by hand</small></td><td>{number},00 EUR</td></tr>"
        for number, tool in enumerate(
            ("fork", "hoe", "rake", "scythe", "spade", "whetstone")
        )
    )
    tree = parse(
        f"<table><tr><th>No.</th><th>What</th><th>Price</th></tr>{rows}</table>"
    )
    assert len(find_sections(tree)[0].spans) == 6


def test_preformatted_records_go_on_in_the_text_beside_their_heads() -> None:
    mails = "".join(
        f"{n}. <b><a href=/{n}>Mail {n}</a></b>\n   - by Ann @ 2024-01-0{n}\n\n"
        for n in range(1, 6)
    )
    tree = parse(f"<pre>{mails}</pre>")
    candidates = candidate_sections(PageStatistics(tree))
    runs = [one for one in candidates if one.kind is CandidateKind.RUNS]
    texts = [span_texts(tree, one.spans) for one in runs]
    assert ["Mail 1 - by Ann @ 2024-01-01 2.", "Mail 2 - by Ann @ 2024-01-02 3."] in [
        found[:2] for found in texts
    ]


def test_no_candidate_ends_its_records_with_the_heading_of_the_next() -> None:
    letters = "".join(
        f"<div class=heading><h2>{letter}</h2> <span>edit</span></div>"
        f"<ul><li>{letter} one</li><li>{letter} two</li><li>{letter} three</li></ul>"
        for letter in "ABCDEF"
    )
    tree = parse(f"<main><p>All the tools of the shed</p>{letters}</main>")
    candidates = candidate_sections(PageStatistics(tree))
    runs = [one for one in candidates if one.kind is CandidateKind.RUNS]
    texts = {text for one in runs for text in span_texts(tree, one.spans)}
    assert any(text.split()[0] == "C" and "C three" in text for text in texts)
    assert not any(text.split()[:2] == ["C", "one"] for text in texts)


POSTS = "".join(
    f"<div class=post><b>{name}</b> <i>{day} May 2026</i><p>The {name} way to sharpen a "
    f"scythe takes {day} strokes, a wet stone and some patience.</p></div>"
    for day, name in enumerate(("northern", "alpine", "eastern", "dutch"), 3)
)


def first_text(html: str) -> str:
    tree = parse(html)
    sections = find_sections(tree)
    return span_texts(tree, sections[0].spans)[0] if sections else ""


def test_a_thread_that_is_written_for_browsers_without_script_is_read() -> None:
    posts = POSTS * 2
    html = f"<div id=app>Loading</div><noscript><div>{posts}</div></noscript>"
    assert first_text(html).startswith("northern 3 May 2026")
    picture = "<noscript><img src=/1.png alt=counter></noscript>"
    assert "counter" not in first_text(f"<div>{POSTS}{picture}</div>")


def test_choices_of_a_form_and_dialogs_are_no_list_of_the_page() -> None:
    options = "".join(f"<option>Rake number {n}, the large one" for n in range(40))
    purposes = "".join(
        f"<li><a href=#{n}>Purpose {n}</a> Partners may use what they know of you "
        f"for purpose number {n}, unless you object to it here."
        for n in range(9)
    )
    html = (
        f"<select>{options}</select><div role=dialog aria-modal=true><ul>{purposes}</ul>"
        f"</div>{PAGE}"
    )
    found = first_text(html)
    assert "Purpose" not in found
    assert "Rake" not in found
