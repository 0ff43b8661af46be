"""The learned method with and without the compiled core: the same blocks, features and
scores, bit by bit.
"""

import numpy as np
import pytest
from benchmarks.core_agreement import learned_difference
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from markup import pages
from odd_pages import ODD_PAGES
from scythe.boosting import TreeEnsemble
from scythe.content.methods.learned.blocks import find_blocks
from scythe.content.methods.learned.compiled import compiled_blocks, compiled_rows
from scythe.content.methods.learned.declared import read_declared
from scythe.content.methods.learned.features import NAMES
from scythe.content.methods.learned.method import select_compiled, select_nodes
from scythe.content.methods.learned.model import default_content_model
from scythe.core.library import is_built
from scythe.tree import Limits, Tree
from scythe.tree.compiled.trees import compiled_tree
from scythe.tree.construction.reference import reference_tree
from scythe.tree.encoding import page_text

needs_core = pytest.mark.skipif(
    not is_built(), reason="the compiled core is not built here"
)

MODEL = default_content_model()

PAGES = {
    "roles": """<title>The Weir - River Post</title><meta name=description content='Water
        ran over the weir all night, and nobody in the village slept.'>
        <body class="SiteWrapper homePage"><nav id=mainNav class='nav-bar'><ul><li><a>Home</a>
        <li><a>News</a></ul></nav><h1>The Weir</h1><p class='lead x'>Water ran over the weir
        all night, and nobody in the village slept. <b>It rose.</b> They waited.<p>End:
        <table><tr><td>1<td>2<tr><td>3<td>4</table><footer class=footer>© 2020</footer>""",
    "hidden": """<p>a<p hidden>b<p style='x:1; DISPLAY :\tnone'>c<p
        style='vıſibility:x'>d<p style='vİſıbility: hidden'>e<body hidden><i>f</i>""",
    "scripts": "<p>今日は、晴れ。明日も晴れ。<p>Σίσυφος ΟΔΟΣ<p>Привет, мир. Как дела?<p>a.b c, d",
    "blanks": "<p>\u200b<p>\xa0<p>\u2003x\u2003<p>\x1cy<p>...<br>1,000.5 £3 (x) «y»<hr>",
    "repeats": "<ul>"
    + "<li class='item a'>more</li>" * 40
    + "</ul><dl><dt>a<dd>b<dd>c</dl>",
    "capitals": "<title>İstanbul Σ ǅ Ꟈ 😀 ΑΣ</title><h1>İstanbul Σ ǅ Ꟈ 😀 ΑΣ</h1><p>x",
    "names": f"<p class='{'é' * 70} comment'>x<p class='{'a' * 60} nav nav'>y<p id='ads1'>z",
}


def made_by_the_core(html: str) -> Tree:
    tree = compiled_tree(page_text(html, 1_000_000), Limits())
    assert tree is not None
    return tree


@needs_core
@pytest.mark.parametrize("name", PAGES)
def test_pages_have_the_same_features(name: str) -> None:
    assert learned_difference(made_by_the_core(PAGES[name])) is None


@needs_core
def test_the_core_is_what_makes_them() -> None:
    tree = made_by_the_core(PAGES["roles"])
    blocks = compiled_blocks(tree)
    assert blocks is not None
    assert compiled_rows(tree, blocks, read_declared(tree), len(NAMES)) is not None


@needs_core
@pytest.mark.parametrize("name", ODD_PAGES)
def test_odd_pages_have_the_same_features(name: str) -> None:
    tree = compiled_tree(page_text(ODD_PAGES[name], 1_000_000), Limits())
    assert tree is None or learned_difference(tree) is None


@needs_core
@given(pages)
def test_any_markup_has_the_same_features(html: str) -> None:
    tree = compiled_tree(page_text(html, 1_000_000), Limits())
    assert tree is None or learned_difference(tree) is None


def ensemble(depth: int, outputs: int, seed: int) -> TreeEnsemble:
    numbers = np.random.default_rng(seed)
    arrays: dict[str, NDArray[np.generic]] = {
        "x.feature": numbers.integers(0, 5, (9, depth)),
        "x.border": numbers.normal(size=(9, depth)),
        "x.leaves": numbers.normal(size=(outputs, 9 << depth)),
        "x.bias": numbers.normal(size=outputs),
    }
    return TreeEnsemble.from_arrays(arrays, "x")


@needs_core
@given(
    st.integers(1, 8), st.integers(1, 3), st.integers(1, 70), st.integers(0, 2**32 - 1)
)
def test_trees_have_the_same_scores(
    depth: int, outputs: int, cases: int, seed: int
) -> None:
    trees = ensemble(depth, outputs, seed)
    rows = np.random.default_rng(seed).normal(size=(5, cases)).astype(np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCYTHE_CORE", "0")
        expected = trees.scores(rows)
        patch.setenv("SCYTHE_CORE", "1")
        assert np.array_equal(trees.scores(rows), expected)


@needs_core
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_pages_have_the_same_selection(name: str, beta: float) -> None:
    assert_same_selection(PAGES[name], beta)


@needs_core
@given(pages)
def test_any_markup_has_the_same_selection(html: str) -> None:
    assert_same_selection(html, 1.0)


LONG_PARAGRAPH = (
    "<p>The barley is cut by hand, says Berge, who farms forty hectares, because the "
    "terraces are too steep for the new machines.</p>"
)
LAYOUTS = st.lists(
    st.sampled_from(
        [
            "<h1>Harvest at the weir</h1>",
            "<h2>How it is done</h2>",
            LONG_PARAGRAPH,
            "<p>Nobody speaks. Then the first blade goes through the barley.</p>",
            "<ul><li><a href=/a>Home</a><li><a href=/b>News</a><li>About</ul>",
            "<ol><li>Cut it.<li>Bind it.<li>Dry it for nine days.</ol>",
            "<table><tr><td>Hay<td>12<tr><td>Oats<td>9<tr><td>Rye<td>7</table>",
            *["<div class=card><h3>A fork</h3><b>$12.50</b><a href=/c>Buy</a></div>"]
            * 3,
            "<div class='post comment'><i>3 May 2021</i><p>I have one, too: it is old.</div>",
            "<aside class=sidebar>",
            "</aside>",
            "<article>",
            "</article>",
            "<footer class=footer>© 2020 The Weir</footer>",
        ]
    ),
    max_size=40,
)


@needs_core
@given(LAYOUTS, st.sampled_from([0.5, 1.0, 2.0]))
def test_any_layout_has_the_same_selection(pieces: list[str], beta: float) -> None:
    assert_same_selection("".join(pieces), beta)


def assert_same_selection(html: str, beta: float) -> None:
    """The core and the reference select the same, and expect the same of it."""
    page = page_text(html, 1_000_000)
    tree = compiled_tree(page, Limits())
    found = None if tree is None else select_compiled(tree, MODEL, beta)
    if found is None:
        return
    tree = reference_tree(page, Limits())
    expected = select_nodes(tree, find_blocks(tree), MODEL, beta)
    assert found.nodes.tolist() == expected.nodes.tolist()
    assert found.confidence == expected.confidence
    assert found.types.tolist() == expected.types.tolist()


@needs_core
def test_the_head_is_read_the_same() -> None:
    html = """<title>A <b>b</title><meta property='' name=' OG:Title ' content=' One '>
        <meta property=og:title content=Two><meta name=description><meta name=description
        content=late><link rel=Canonical><link rel=canonical href=/a>
        <script>{"@type": "Article"}</script><script></script> "@type" <p>x"""
    tree = made_by_the_core(html)
    reference = reference_tree(page_text(html, 1_000), Limits())
    facts, expected = read_declared(tree), read_declared(reference)
    assert (facts.title, facts.text) == (expected.title, expected.text)
    assert facts.values.tolist() == expected.values.tolist()
    assert facts.title == "a <b>b\none"
