"""Figures: picture and caption come out together, wherever pages put the caption."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scythe import extract
from scythe.content.selection import Selection
from scythe.content.structures.figures import find_figures, with_figures
from scythe.tree import Tree, parse
from scythe.tree.text import plain_text
from scythe.tree.tree import Bools

URL = "https://example.org/news/page.html"
BEFORE = (
    "The college in the next valley has counted what the work takes: a practised "
    "mower cuts about a third of a hectare in a day, and less when it rains."
)
BEHIND = (
    "A small combine does that in twenty minutes, but it has to come up the road "
    "first, and the road is closed for most of the winter."
)
PICTURE = "<img src=a.jpg alt=Field>"
CAPTION = "The field in June"


def select_paragraphs(tree: Tree) -> Selection:
    """Select the text of paragraphs without a class, as a method without any idea of
    pictures might.
    """
    nodes = np.zeros(len(tree), dtype=bool)
    for node in range(len(tree)):
        if tree.name(node) == "p" and not tree.attributes(node):
            nodes |= tree.subtree(node) & tree.is_text
    return Selection(nodes, confidence=1.0)


def article(figure: str) -> str:
    return f"<article><p>{BEFORE}</p>{figure}<p>{BEHIND}</p></article>"


FIGURES = [
    f"<figure>{PICTURE}<figcaption>{CAPTION}</figcaption></figure>",
    f"<figure><figcaption>{CAPTION}</figcaption>{PICTURE}</figure>",
    f"<figure>{PICTURE}<div>{CAPTION}</div></figure>",
    f"<figure><div>{PICTURE}</div>{CAPTION}</figure>",
    (
        f"<div class=wp-caption><a href=b.jpg>{PICTURE}</a>"
        f"<p class=wp-caption-text>{CAPTION}</p></div>"
    ),
    f"<div><div>{PICTURE}</div><div><span class=photo-caption>{CAPTION}</span></div></div>",
    (
        f"<table class=tr-caption-container><tr><td>{PICTURE}</td></tr>"
        f"<tr><td class=tr-caption>{CAPTION}</td></tr></table>"
    ),
    (
        f"<div class=thumb><div class=thumbinner>{PICTURE}<div class=thumbcaption>"
        f"<div class=magnify></div>{CAPTION}</div></div></div>"
    ),
    (
        f"<div>Advertisement</div><figure>{PICTURE}<figcaption>{CAPTION}</figcaption></figure>"
        "<button>Share</button>"
    ),
]


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_between_paragraphs_comes_out_whole(figure: str) -> None:
    document = extract(article(figure), URL, select_paragraphs)
    picture = "![Field](https://example.org/news/a.jpg)"
    between = document.markdown.split(BEFORE)[1].split(BEHIND)[0]
    assert picture in between
    assert CAPTION in between
    assert document.text == f"{BEFORE}\n{BEHIND}"
    [medium] = document.media
    assert medium.source == "https://example.org/news/a.jpg"
    assert (medium.alt, medium.caption) == ("Field", CAPTION)


def test_captions_are_in_italics_and_in_figcaption() -> None:
    document = extract(article(FIGURES[4]), URL, select_paragraphs)
    assert f"\n\n*{CAPTION}*\n\n" in document.markdown
    assert f"<figcaption>{CAPTION}</figcaption>\n</figure>" in document.html


def test_words_of_a_caption_are_held_apart() -> None:
    caption = "<figcaption><b>Barley</b><span>Ripe in August</span></figcaption>"
    html = article(f"<figure>{PICTURE}{caption}</figure>")
    assert "Barley Ripe" in extract(html, URL, select_paragraphs).markdown.replace(
        "*", ""
    )


def test_a_figure_under_the_headline_is_content() -> None:
    figure = FIGURES[0]
    html = f"<h1>On mowing</h1><p class=date>2 May</p>{figure}<p>{BEFORE}</p>"
    assert CAPTION in extract(html, URL, select_paragraphs).markdown


def test_a_standfirst_that_is_left_out_parts_no_figure_from_the_headline() -> None:
    html = f"<h1>On mowing</h1><p class=x>{BEHIND}</p>{FIGURES[0]}<p>{BEFORE}</p>"
    assert CAPTION in extract(html, URL, select_paragraphs).markdown


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{BEFORE}</p><p class=related>{BEHIND}</p>{FIGURES[0]}<p class=x>{BEHIND}</p>",
        f"{FIGURES[0]}<p>{BEFORE}</p>",
    ],
)
def test_a_figure_outside_the_content_is_left_out_whole(html: str) -> None:
    document = extract(html, URL, select_paragraphs)
    assert document.media == []
    assert "a.jpg" not in document.markdown
    assert CAPTION not in document.markdown


def test_a_selected_caption_brings_its_picture() -> None:
    html = f"<p>{BEFORE}</p><figure>{PICTURE}<figcaption><p>{CAPTION}</p></figcaption></figure>"
    assert len(extract(html, URL, select_paragraphs).media) == 1


CARDS = [
    f"<figure><a href=/x>{PICTURE}</a><figcaption><a href=/x>Barley</a></figcaption></figure>",
    f"<figure>{PICTURE}<figcaption><h3>Barley</h3></figcaption></figure>",
    f"<figure><a href=/x>{PICTURE}</a><div>Barley</div></figure>",
    f"<figure>{PICTURE}<blockquote>Barley</blockquote></figure>",
]


@pytest.mark.parametrize("card", CARDS)
def test_cards_and_quotations_have_no_captions(card: str) -> None:
    figures = find_figures(parse(card))
    assert not figures.caption_roots().any()


def test_pictures_of_a_gallery_have_captions_of_their_own() -> None:
    inner = "".join(
        f"<figure><img src={name}.jpg><figcaption>Picture {name}</figcaption></figure>"
        for name in "abc"
    )
    gallery = f"<figure>{inner}<figcaption>All of them</figcaption></figure>"
    document = extract(article(gallery), URL, select_paragraphs)
    captions = [medium.caption for medium in document.media]
    assert captions == ["Picture a", "Picture b", "Picture c"]
    assert "*All of them*" in document.markdown


def test_media_to_play() -> None:
    figures = (
        "<figure><video width=640><source src=v.mp4></video></figure>"
        "<figure><audio src=a.mp3></audio></figure>"
        "<figure><iframe src=https://www.youtube.com/embed/x title=Mowing></iframe></figure>"
        "<figure><iframe src=https://ads.example/frame></iframe></figure>"
    )
    media = extract(article(figures), URL, select_paragraphs).media
    found = [(medium.kind, medium.source, medium.width) for medium in media]
    assert found == [
        ("video", "https://example.org/news/v.mp4", 640),
        ("audio", "https://example.org/news/a.mp3", None),
        ("video", "https://www.youtube.com/embed/x", None),
    ]


def test_the_largest_form_is_named_beside_the_pages_own() -> None:
    image = "<figure><img src=a.jpg srcset='a.jpg 300w, b.jpg 900w'></figure>"
    [medium] = extract(article(image), URL, select_paragraphs).to_dict()["media"]
    assert medium["source"].endswith("a.jpg")
    assert medium["largest"].endswith("b.jpg")


PARTS = st.sampled_from(
    [
        "<figure>",
        "</figure>",
        "<figcaption>",
        "</figcaption>",
        "<div class=caption>",
        "</div>",
        "<img src=a.jpg>",
        "<a href=/x>",
        "</a>",
        "<p>some words",
        "</p>",
        f"<p>{BEFORE}</p>",
        "<h2>heading</h2>",
        "<blockquote>",
        "<div style='display:none'>",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(PARTS, max_size=30), st.data())
def test_text_outside_figures_is_as_selected(
    parts: list[str], data: st.DataObject
) -> None:
    tree = parse("".join(parts))
    size = len(tree)
    chosen = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    nodes: Bools = np.array(chosen, dtype=bool)
    selection = with_figures(tree, Selection(nodes, confidence=1.0))
    captions = tree.below(find_figures(tree).caption_roots())
    assert plain_text(tree, selection.text_nodes) == plain_text(tree, nodes & ~captions)
    again = with_figures(tree, selection)
    assert (again.nodes == selection.nodes).all()
