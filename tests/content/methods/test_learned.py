"""The default method: what it keeps, what it leaves out, and that any page gives an
answer.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scythe.content.methods.learned import Learned
from scythe.content.methods.learned.blocks import find_blocks
from scythe.content.methods.learned.decision import (
    PAGE_TYPES,
    choose_blocks,
    complete_units,
    pool_columns,
    select_blocks,
    with_section_headings,
)
from scythe.content.methods.learned.features import MAX_BLOCKS, NAMES, compute_features
from scythe.content.methods.learned.model import MODEL_FILE, default_content_model
from scythe.tree import parse
from scythe.tree.text import plain_text

SAMPLE = Path(__file__).with_name("learned_sample.npz")

SENTENCES = [
    "The ferry left the harbour a little after six, when the fog had begun to lift from the water.",
    "On deck stood a handful of passengers, most of them wrapped in coats that were too thin for the season.",
    "Nobody spoke, and the only sound came from the engine, which laboured like an old man on the stairs.",
    "By noon the island was in sight, a grey line at first, then a row of cliffs with white birds above them.",
    "The captain, who had made the crossing four thousand times, still took off his cap when they passed the light.",
    "In the village the shops were closed, but the door of the inn was open, and somebody was frying onions.",
]
NAV = "".join(
    f'<li><a href="/{name.lower()}">{name}</a></li>'
    for name in ("Home", "News", "Sport", "Weather", "Contact")
)
ARTICLE = f"""<!doctype html><html><head><title>The crossing - Island Post</title>
<meta property="og:type" content="article"></head>
<body><header class="site-header"><nav class="main-menu"><ul>{NAV}</ul></nav></header>
<main><article class="post"><h1>The crossing</h1><p>{SENTENCES[0]} {SENTENCES[1]}</p><p>{SENTENCES[2]}</p>
<figure><img src="/isle.jpg"></figure><p>{SENTENCES[3]}</p><h2>Ashore</h2><p>{SENTENCES[4]}</p><p>{SENTENCES[5]}</p>
</article></main>
<aside class="sidebar"><h3>Most read</h3><ul>{NAV}</ul></aside>
<footer class="footer"><p>Copyright Island Post. All rights reserved.</p><ul>{NAV}</ul></footer></body></html>"""


def text_of(html: str) -> str:
    tree = parse(html)
    return plain_text(tree, Learned()(tree).nodes)


def test_article_without_navigation_and_footer() -> None:
    text = text_of(ARTICLE)
    assert all(sentence in text for sentence in SENTENCES)
    assert "Weather" not in text
    assert "All rights reserved" not in text


def test_pictures_inside_the_content_are_kept() -> None:
    tree = parse(ARTICLE)
    assert Learned()(tree).nodes[tree.first_element("img")]


def test_type_and_confidence_of_an_article() -> None:
    selection = Learned()(parse(ARTICLE))
    assert selection.page_type == "article"
    assert 0.8 < selection.confidence <= 1.0


def test_the_same_page_gives_the_same_selection() -> None:
    first, second = Learned()(parse(ARTICLE)), Learned()(parse(ARTICLE))
    assert np.array_equal(first.nodes, second.nodes)
    assert first.confidence == second.confidence


@pytest.mark.parametrize(
    "html", ["", "<html></html>", "<script>var a = 1</script>", "<p> \n </p>"]
)
def test_a_page_without_text_gives_nothing(html: str) -> None:
    selection = Learned()(parse(html))
    assert not selection.nodes.any()
    assert selection.confidence == 0.0
    assert selection.page_type is None


@pytest.mark.parametrize(
    "html",
    [
        "x",
        "<div>" * 2000 + "deep",
        "<p>" + "word " * 200_000,
        "<li>a" * 20_000,
        "<p class='" + "a" * 100_000 + "'>text",
        "<p id='\0\0' class='a\0b'>text\0",
        "<meta property=og:url content='http://[bad'><p>text",
        "<title></title><h1>x</h1>\ud800",
        "<frameset><frame></frameset>text",
    ],
)
def test_hostile_pages_give_an_answer(html: str) -> None:
    tree = parse(html)
    selection = Learned()(tree)
    assert len(selection.nodes) == len(tree)
    assert 0.0 <= selection.confidence <= 1.0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "<div class=a>",
                "</div>",
                "<p>",
                "text, ",
                "<li>",
                "<a href=x>",
                "</a>",
                "<h1>",
                "<br>",
                "中文。",
                "\n",
            ]
        )
    )
)
def test_any_markup_gives_an_answer(parts: list[str]) -> None:
    tree = parse("".join(parts))
    selection = Learned()(tree)
    assert len(selection.nodes) == len(tree)
    assert not selection.nodes[~tree.is_text & (tree.end - tree.starts > 1)].any()


def test_blocks_end_at_block_borders_and_line_breaks() -> None:
    tree = parse(
        "<div>one <b>two</b> three<br>four<p>five</p>six</div><script>seven</script>"
    )
    assert [text.strip() for text in find_blocks(tree).texts(tree)] == [
        "one two three",
        "four",
        "five",
        "six",
    ]


def test_every_feature_has_a_name() -> None:
    tree = parse(ARTICLE)
    features = compute_features(tree, find_blocks(tree))
    assert features.rows.shape == (len(NAMES), len(find_blocks(tree)))
    assert np.isfinite(features.rows).all()


@given(
    st.lists(
        st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=30
    )
)
def test_a_focus_on_recall_chooses_more_and_never_other_blocks(
    blocks: list[tuple[float, int]],
) -> None:
    probability = np.array([share for share, _ in blocks])
    words = np.array([count for _, count in blocks])
    precise, balanced, complete = (
        select_blocks(probability, words, beta) for beta in (0.5, 1.0, 2.0)
    )
    assert not (precise & ~balanced).any()
    assert not (balanced & ~complete).any()


def test_the_choice_has_the_greatest_expected_f1() -> None:
    words = np.array([10, 10, 10])
    assert select_blocks(np.array([0.9, 0.1, 0.8]), words).tolist() == [
        True,
        False,
        True,
    ]
    assert select_blocks(np.array([0.4, 0.3, 0.01]), words).tolist() == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("name", ["prose", "mixed", "types", "confidence"])
def test_scores_are_those_of_the_training_library(name: str) -> None:
    with np.load(SAMPLE, allow_pickle=False) as sample:
        found = getattr(default_content_model(), name).scores(sample[f"{name}.rows"])
        assert np.abs(found - sample[f"{name}.scores"]).max() < 1e-6


def test_the_model_file_is_small_and_plain() -> None:
    assert MODEL_FILE.stat().st_size < 3_000_000
    assert len(default_content_model().types.bias) == len(PAGE_TYPES)


def test_pages_beyond_the_model_are_left_to_lbda() -> None:
    paragraphs = "<p>They cut the barley at dawn, and rested at noon.</p>" * MAX_BLOCKS
    assert Learned()(parse(f"<main>{paragraphs}</main>")).page_type is not None
    assert Learned()(parse(f"<main>{paragraphs}<p>One</main>")).page_type is None


TABLE = "<table><tr><th>Field<th>Sacks<tr><td><a href=u>Upper</a><td>12</table>"
LIST = "<ul><li>Scythe<li><a href=w>Whetstone</a><li>Rake</ul>"
PARTS = [TABLE, LIST, "<p>We cut at dawn:</p>", "<p>They bind.</p>", "<div>Menu</div>"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(PARTS), min_size=1),
    st.lists(st.floats(0, 1), min_size=1),
)
def test_units_are_in_or_out_as_a_whole(parts: list[str], scores: list[float]) -> None:
    tree = parse("".join(parts))
    features = compute_features(tree, find_blocks(tree))
    probability = np.resize(np.array(scores), len(features.words))
    chosen = select_blocks(probability, features.words)
    selected = complete_units(features, probability, chosen, of_type("article"))
    for unit in range(features.unit_of.max() + 1):
        assert len(set(selected[features.unit_of == unit].tolist())) == 1
    outside = features.unit_of < 0
    assert np.array_equal(selected[outside], chosen[outside])


def test_products_are_chosen_more_strictly_but_for_their_units() -> None:
    paragraphs = "<p>We cut at dawn.</p><p>Returns are free.</p>"
    tree = parse(paragraphs + "<ul><li>Ash handle<li>Steel blade</ul>")
    features = compute_features(tree, find_blocks(tree))
    probability = np.array([0.9, 0.45, 0.45, 0.45])
    article = choose_blocks(features, probability, of_type("article"))
    product = choose_blocks(features, probability, of_type("product"))
    assert article.tolist() == [True, True, True, True]
    assert product.tolist() == [True, False, True, True]


def test_a_list_that_is_announced_is_content_though_unlikely_by_itself() -> None:
    tree = parse("<p>What you need, and nothing else:</p>" + LIST + "<div>Menu</div>")
    features = compute_features(tree, find_blocks(tree))
    chosen = np.array([True, False, False, False, False])
    likely = np.array([0.9, 0.05, 0.05, 0.05, 0.01])
    selected = complete_units(features, likely, chosen, of_type("forum"))
    assert selected.tolist() == [True, True, True, True, False]
    unlikely = np.array([0.9, 0.01, 0.01, 0.01, 0.01])
    selected = complete_units(features, unlikely, chosen, of_type("forum"))
    assert selected.tolist() == chosen.tolist()


TEXT = "<p>They cut the barley at dawn, and rested at noon.</p>"
TOOLS = "<ul><li>A scythe<li>A whetstone<li>A rake</ul>"
LINKS = "<ul><li><a href=s>Scythe</a><li><a href=w>Whetstone</a></ul>"


@pytest.mark.parametrize(
    ("page_type", "between", "unit", "is_whole"),
    [
        ("article", "<h2>What you need</h2>", TOOLS, True),
        ("article", "<h2>What you need</h2><div>1x</div><div>2x</div>", TOOLS, True),
        ("article", "<div>" + "Menu " * 30 + "</div>", TOOLS, False),
        ("article", "<h2>Read on</h2>", LINKS, False),
        ("forum", "<h2>What you need</h2>", TOOLS, False),
    ],
    ids=["heading", "labels", "too far", "links", "no article"],
)
def test_a_list_of_an_article_belongs_to_the_text_nearby(
    page_type: str, between: str, unit: str, is_whole: bool
) -> None:
    for html in (TEXT + between + unit, unit + between + TEXT):
        tree = parse(html)
        blocks = find_blocks(tree)
        features = compute_features(tree, blocks)
        chosen = np.array([text.startswith("They") for text in blocks.texts(tree)])
        probability = np.where(chosen, 0.9, 0.15)
        types = of_type(page_type)
        selected = complete_units(features, probability, chosen, types)
        assert selected[features.unit_of == 0].all() == is_whole
        assert not selected[(features.unit_of < 0) & ~chosen].any()


def test_headings_go_with_the_text_that_they_stand_over() -> None:
    title, part, chapter = "<h1>Harvest</h1>", "<h2>Work</h2>", "<h3>Dawn</h3>"
    tree = parse(title + TEXT + part + chapter + TEXT + "<h2>Related</h2><p>Menu</p>")
    features = compute_features(tree, find_blocks(tree))
    chosen = np.array([False, True, False, False, True, False, False])
    probability = np.where(chosen, 0.9, 0.3)
    selected = with_section_headings(features, probability, chosen)
    assert selected.tolist() == [False, True, True, True, True, False, False]
    unlikely = np.where(chosen, 0.9, 0.1)
    assert np.array_equal(with_section_headings(features, unlikely, chosen), chosen)


def test_a_list_comes_with_its_heading_though_that_is_unlikely_by_itself() -> None:
    tree = parse(TEXT + "<h2>Tools</h2><h3>For dawn</h3>" + TOOLS)
    features = compute_features(tree, find_blocks(tree))
    chosen = np.array([True, False, False, True, True, True])
    probability = np.where(chosen, 0.9, 0.05)
    assert with_section_headings(features, probability, chosen).all()


RECIPE = {
    "@type": "Recipe",
    "recipeIngredient": ["2 cups oats", "1 pinch of <b>salt</b>"],
    "recipeInstructions": [
        {"@type": "HowToSection", "itemListElement": [{"text": "Stir."}]},
        "Boil the oats in water, stirring all the time.\nServe them hot, with the milk of the morning.",
    ],
}


def test_what_a_page_declares_as_a_recipe_is_known() -> None:
    tree = parse(
        f"<script type='application/ld+json'>{json.dumps(RECIPE)}</script>"
        "<p>Oats</p><p><b>2</b> cups oats</p><p>1 pinch of salt</p><p>Print</p>"
        "<p>Stir.</p><p>Serve them hot, with the milk of the morning.</p><p>Serve</p>"
    )
    blocks = find_blocks(tree)
    features = compute_features(tree, blocks)
    assert features.is_declared.tolist() == [
        False,
        True,
        True,
        False,
        True,
        True,
        False,
    ]


def of_type(page_type: str) -> NDArray[np.float64]:
    """Return the probabilities of the page types of a page that is of one for certain."""
    return np.array([name == page_type for name in PAGE_TYPES], dtype=np.float64)


CARDS = "".join(
    f"<div class=card><h3>Scythe {number}</h3><b class=price>{number} EUR</b></div>"
    for number in range(6)
)


def test_a_column_of_records_is_decided_about_as_one() -> None:
    tree = parse(f"<p>Our tools.</p>{CARDS}")
    features = compute_features(tree, find_blocks(tree))
    probability = np.array([0.9, *[0.8, 0.1] * 3, *[0.6, 0.5] * 3])
    pooled = pool_columns(features, probability, of_type("collection"))
    assert np.allclose(pooled, [0.9, *[0.7, 0.3] * 6])


def test_blocks_of_articles_are_decided_about_one_by_one() -> None:
    tree = parse(f"<p>Our tools.</p>{CARDS}")
    features = compute_features(tree, find_blocks(tree))
    probability = np.linspace(0.1, 0.9, len(features.words))
    pooled = pool_columns(features, probability, of_type("article"))
    assert np.array_equal(pooled, probability)
