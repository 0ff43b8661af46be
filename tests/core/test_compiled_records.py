"""With and without the compiled core: the same candidates of list pages, the same
comparisons of their members, and so the same sections.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markup import pages
from scythe.core.library import is_built
from scythe.sections import rank_sections
from scythe.sections.candidates import MAX_CANDIDATES, candidate_sections
from scythe.sections.comparisons import Comparisons
from scythe.sections.page_statistics import PageStatistics
from scythe.tree.compiled.trees import block_of
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

pytestmark = pytest.mark.skipif(not is_built(), reason="the compiled core is not built")

CLASSES = ("", "row", "row even", "row odd", "ad", "a b c d e f g h i", "x\u3000y\x1cz")
TEXTS = ("", "same", "ten words " * 5, "1 May 2024", "\u4f60\u597d")
ITEMS = st.lists(
    st.tuples(
        st.sampled_from(["li", "div", "p", "tr><td", "h3", "b"]),
        st.sampled_from(CLASSES),
        st.sampled_from(TEXTS),
        st.sampled_from(["", "<a href=/1>one</a>", "<span class=n>2</span>", "<img>"]),
    ),
    max_size=14,
)


def both(html: str) -> tuple[Tree, Tree]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("SCYTHE_CORE", "1")
        compiled = parse(html)
        assert block_of(compiled) is not None
        monkeypatch.setenv("SCYTHE_CORE", "0")
        return compiled, parse(html)


def assert_same_sections(html: str) -> None:
    compiled, reference = map(PageStatistics, both(html))
    assert compiled.filled_page is not None
    assert reference.filled_page is None
    candidates = candidate_sections(compiled)
    assert candidates == candidate_sections(reference)
    if candidates:
        found = [Comparisons.of(page, candidates) for page in (compiled, reference)]
        for own, other in zip(found[0].of_members, found[1].of_members, strict=True):
            assert own.tolist() == other.tolist()
        of_candidates = zip(found[0].of_candidates, found[1].of_candidates, strict=True)
        for own, other in of_candidates:
            assert own.tolist() == other.tolist()
    assert rank_sections(compiled.tree) == rank_sections(reference.tree)


@given(pages)
def test_any_page_has_the_same_sections(html: str) -> None:
    assert_same_sections(f"<body>{html}</body>")


@given(ITEMS, st.sampled_from(["ul", "pre", "table", "section"]))
def test_any_list_has_the_same_sections(
    items: list[tuple[str, str, str, str]], parent: str
) -> None:
    parts = [
        f'<{tag} class="{classes}">{text} {inner} . </{tag.partition(">")[0]}>'
        for tag, classes, text, inner in items
    ]
    records = "".join(parts)
    assert_same_sections(f"<body><{parent}>{records}</{parent}><p>end<p>end<p>end")


def test_pages_of_many_lists_have_the_same_sections() -> None:
    rows = "".join(
        f"<div class='c{number}'><p>{number}<p>{number} words<b>x</b></div>"
        for number in range(2 * MAX_CANDIDATES)
    )
    assert_same_sections(f"<body>{rows}<div>{rows}</div></body>")
