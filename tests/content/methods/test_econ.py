"""ECON does what the paper says, on trees like the paper's figures, and in all ten
languages it names.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scythe
from scythe.content.methods.econ import backtrack, big_nodes, econ, joint_para
from scythe.content.methods.econ_plus import econ_plus
from scythe.tree import Tree, parse
from scythe.tree.characters import PERIODS_AND_COMMAS, Characters
from scythe.tree.text import plain_text
from scythe.tree.visibility import skipped

NEWS = """
<html><body>
  <div id="menu"><a href="/">Home</a><a href="/world">World</a><a href="/sport">Sport</a></div>
  <div id="page">
    <div id="story">
      <h1>Rain holds off until the barley is in</h1>
      <p>The harvest began at dawn, and by noon half the field was cut.</p>
      <p>Clouds gathered in the west, but the <b>rain</b> held off, as the <a href="/f">forecast</a> had said.</p>
      <p>By evening, all of it was under a roof.</p>
    </div>
    <div id="links"><span>Related stories</span><a href="/1">Oats next</a></div>
  </div>
  <div id="foot">Copyright The Daily Sheaf</div>
</body></html>
"""


def measures(html: str) -> tuple[Tree, Characters]:
    tree = parse(html)
    return tree, Characters.from_tree(tree, ~skipped(tree))


def test_the_story_and_nothing_else() -> None:
    assert scythe.extract(NEWS, method="econ").text.splitlines() == [
        "Rain holds off until the barley is in",
        "The harvest began at dawn, and by noon half the field was cut.",
        "Clouds gathered in the west, but the rain held off, as the forecast had said.",
        "By evening, all of it was under a roof.",
    ]


def test_big_nodes_are_fathers_of_text_and_the_listed_tags() -> None:
    tree, characters = measures(
        "<div>text<section><p></p><br><article> \n </article></section></div><script>x</script>"
    )
    big = {
        tree.name(node)
        for node in np.flatnonzero(big_nodes(tree, characters.non_space)).tolist()
    }
    assert big == {"div", "p", "br"}


def test_joint_para_merges_adjacent_big_nodes_as_in_figure_4() -> None:
    tree, characters = measures(
        "<body><section><hr></section><p>one, two</p><p>three</p><section><a>four</a></section><p>five</p>"
    )
    length, stops = (
        tree.totals(characters.non_space),
        tree.totals(characters.sentence_punctuation),
    )
    paras = joint_para(tree, big_nodes(tree, characters.non_space), length, stops)
    sets: dict[int, list[str]] = {}
    for node, index in zip(paras.nodes.tolist(), paras.set_of.tolist(), strict=True):
        sets.setdefault(index, []).append(
            "".join(tree.text[node : tree.end[node]].tolist())
        )
    assert sorted(sets.values()) == [["five"], ["four"], ["one, two", "three"]]


def test_text_without_period_and_comma_is_pruned_within_the_summary_node() -> None:
    page = "<div><p>First, rain came.</p><section><p>Share this page</p></section><div><p>Then, the sun came out.</p></div></div>"
    assert (
        scythe.extract(page, method="econ").text
        == "First, rain came.\nThen, the sun came out."
    )


def test_backtracking_stops_where_the_distance_is_zero_for_the_first_time() -> None:
    tree, characters = measures(
        "<body><main><div><p>One, two.</p></div><div><p>Three, four.</p></div></main><div>noise</div></body>"
    )
    paragraph = tree.first_element("p")
    assert paragraph is not None
    summary_node = backtrack(
        tree, paragraph, tree.totals(characters.sentence_punctuation)
    )
    assert tree.name(summary_node) == "main"


@pytest.mark.parametrize(
    ("sentence", "stops"),
    [
        ("麦子熟了，农民在田里收割。孩子们在玩耍，老人在休息。", 4),
        (
            "Das Korn ist reif, die Ernte beginnt. Am Abend, nach der Arbeit, ruhen alle.",
            5,
        ),
        ("夏になると、麦が実る。子供は遊び、老人は休む。", 4),
        ("ينضج القمح، ويخرج الفلاحون إلى الحقول. ثم يعود الجميع، ويستريحون.", 4),
        ("Летом поспевает пшеница, и все выходят в поле.", 2),
        ("全角．記号，を使う", 2),
    ],
)
def test_periods_and_commas_of_the_papers_languages(sentence: str, stops: int) -> None:
    _, characters = measures(f"<p>{sentence}</p>")
    assert (
        characters.punctuation.sum() == characters.sentence_punctuation.sum() == stops
    )


def test_the_list_of_marks_has_no_doubles() -> None:
    assert len(set(PERIODS_AND_COMMAS)) == len(PERIODS_AND_COMMAS)


def test_a_page_without_punctuation_gives_its_text_with_no_confidence() -> None:
    document = scythe.extract("<p>no marks here</p><p>nor here</p>", method="econ")
    assert document.text == "no marks here\nnor here"
    assert document.confidence == 0


SHORT_PAGE = (
    "<main><div><p>The bridge is closed, the mayor said.</p></div></main>"
    "<footer><p>The Daily Sheaf is published weekly, except in August, by the Sheaf Press of Overfield. All rights are reserved. "
    "No part may be copied, stored or sent on, in any form, without leave.</p></footer>"
)
PIECES_PAGE = (
    "<main>"
    + "".join(
        f"<div><div><p>Paragraph {n} goes on, as they do, in a block of its own.</p></div></div>"
        for n in range(4)
    )
    + "</main>"
)


def test_econ_plus_reads_short_pages_and_pieces_pages() -> None:
    tree = parse(SHORT_PAGE)
    assert (
        plain_text(tree, econ_plus(tree).nodes)
        == "The bridge is closed, the mayor said."
    )
    assert "weekly" in plain_text(tree, econ(tree).nodes)
    tree = parse(PIECES_PAGE)
    assert len(plain_text(tree, econ_plus(tree).nodes).splitlines()) == 4


def test_econ_plus_drops_link_lists_that_have_periods() -> None:
    related = "".join(
        f"<li><a href='/{n}'>Story number {n}. Read it now.</a></li>" for n in range(5)
    )
    story = "<p>One sentence, of some length, that tells the news.</p>"
    page = (
        f"<main>{story}<div><ul>{related}</ul></div><p>Another, to end with.</p></main>"
    )
    assert scythe.extract(page, method="econ+").text.splitlines() == [
        "One sentence, of some length, that tells the news.",
        "Another, to end with.",
    ]


INLINE_TAGS = ("a", "b", "em", "font", "i", "mark", "span", "strong", "u")


@pytest.mark.parametrize("method", ["econ", "econ+"])
@given(
    nesting=st.lists(
        st.lists(st.sampled_from(INLINE_TAGS), max_size=5), min_size=1, max_size=4
    )
)
def test_every_word_of_a_paragraph_stays(method: str, nesting: list[list[str]]) -> None:
    pieces = []
    for number, tags in enumerate(nesting):
        opened = "".join(f"<{tag}>" for tag in tags)
        closed = "".join(f"</{tag}>" for tag in reversed(tags))
        pieces.append(f"{opened}said mayor {number}{closed}")
    sentence = (
        f"The bill passed, {' and '.join(pieces)}, after a debate until late on Monday."
    )
    page = f"<body><div><p>{sentence}</p><p>Nobody, not even the clerk, spoke.</p></div><div><a>Home</a></div>"

    words = [f"said mayor {number}" for number in range(len(nesting))]
    expected = (
        f"The bill passed, {' and '.join(words)}, after a debate until late on Monday."
    )
    document = scythe.extract(page, method=method)
    assert document.text == f"{expected}\nNobody, not even the clerk, spoke."
